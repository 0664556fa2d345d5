//! Workers: processes that run code under test, started, fed, watched and ended.

#[cfg(target_os = "linux")]
pub mod attempt;
#[cfg(target_os = "linux")]
pub mod limits;
#[cfg(target_os = "linux")]
pub mod occupation;
#[cfg(target_os = "linux")]
pub mod page;
#[cfg(target_os = "linux")]
pub mod pool;
#[cfg(not(target_os = "linux"))]
#[path = "pool_elsewhere.rs"]
pub mod pool;
#[cfg(target_os = "linux")]
pub mod process;
#[cfg(target_os = "linux")]
pub mod runner;
