//! What a search does next: which operation it calls, and which share of the budget each way to make programs gets.

pub mod budget;
pub mod choose;
pub mod potential;
pub mod quarantine;
pub mod record;
