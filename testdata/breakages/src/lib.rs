//! Functions of many shapes, each of which can be broken: every finding needs a test that is written differently.
//!
//! The shapes alone are in `shapes`, the ways to fail in `outcomes`. Each function breaks at a place of its own: what breaks at
//! one place is one finding.

mod borrowing;
mod making;
mod naming;
mod passing;

pub use borrowing::{Cursor, Document, Words};
pub use making::{Account, Angle, Command, Config, Order};
#[allow(deprecated)]
pub use naming::deprecated_break;
pub use naming::{Measured, r#match, must_use_break};
pub use passing::{
    break_on_array, break_on_box, break_on_bytes, break_on_char, break_on_duration, break_on_float, break_on_iterator,
    break_on_list, break_on_option, break_on_ordering, break_on_range, break_on_result, break_on_slice, break_on_text,
    break_on_tuple, break_on_words,
};
