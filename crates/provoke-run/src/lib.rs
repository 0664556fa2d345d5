//! One run of Provoke as a library: a crate goes in, what breaks it comes out.
//!
//! ```no_run
//! use provoke_run::{Run, RunSettings, Setup};
//!
//! // First of all: cargo calls this program back in the role of rustdoc and of rustc.
//! if let Some(code) = provoke_run::run_as_wrapper_if_asked() {
//!     std::process::exit(code);
//! }
//! let run = Run::new(Setup::default(), RunSettings::default());
//! let outcome = run.run(&mut |event: &provoke_run::Event| println!("{event:?}"));
//! for package in outcome.packages {
//!     for finding in package.summary.findings {
//!         println!("{}: {}", finding.function, finding.message);
//!     }
//! }
//! ```
//!
//! Nothing here prints. What happens is told to an [`Observer`], as the closed list of [`Event`]s.

mod config;
mod confirm;
mod drive;
mod error;
mod events;
mod interrupt;
mod list;
mod prepare;
mod regression;
mod replay;
mod results;
mod run;
pub mod session;
mod settings;
mod verify;

pub use config::bad_value::BadValue;
pub use config::finding_id::parse_id;
pub use config::pattern::{FunctionFilter, Pattern};
pub use error::from_io;
pub use events::Observer;
pub use interrupt::Interrupt;
pub use list::list;
pub use prepare::packages::AllPackages;
pub use provoke_host::run_as_wrapper_if_asked;
pub use provoke_report::Event;
pub use replay::{PackageReplay, Replay, replay};
pub use run::{PackageRun, Run};
pub use settings::{Build, MAX_JOBS, Packages, RunSettings, SandboxMode, SanitizerMode, Setup, Subject};
