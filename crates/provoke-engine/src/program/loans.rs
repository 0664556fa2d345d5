//! Who borrows from whom while a straight-line body is built or walked.
//!
//! A slot is live or not, and holds loans on other slots, shared or exclusive. That is all the borrow checker needs to
//! know of straight-line code: a use of an owner that conflicts with a loan ends the borrower first, by an explicit
//! drop, and with it everything that borrows from the borrower.
//!
//! Loans are kept in one flat list. Programs hold few of them at a time, and a count per slot answers the common
//! question ("does anybody borrow from this slot?") without looking at the list. Where the true set of loans cannot be
//! told from the signature (a reference to something that borrows), more is recorded rather than less: a program then
//! drops something a little early, and rustc still accepts it.

use std::cell::Cell;

use provoke_api::{FlowPart, FlowTarget};
use provoke_wire::{Arg, Mode};

use crate::api::Op;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loan {
    borrower: u32,
    owner: u32,
    is_exclusive: bool,
}

/// The lifetime inside `from` outlives the one inside `to`, because a value went from one to the other.
///
/// rustc gives a variable one lifetime for its whole life: a loan that `from` takes up later counts for `to` as well.
/// Links are kept transitively closed, so that they survive the slots in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link {
    from: u32,
    to: u32,
}

#[derive(Clone, Debug, Default)]
struct SlotState {
    is_live: bool,
    /// How many loans others hold on this slot.
    n_lent: u32,
    /// How many loans this slot holds.
    n_held: u32,
    is_linked: bool,
    /// The last search that came by.
    mark: Cell<u32>,
}

/// The state of all slots of one body. Reused from body to body: nothing is allocated once the buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct Loans {
    slots: Vec<SlotState>,
    loans: Vec<Loan>,
    /// By slot: where links into it come from, and where links out of it lead, in the order in which they came.
    links_into: Vec<Vec<u32>>,
    links_out_of: Vec<Vec<u32>>,
    /// Some slot borrows from itself or from a later one; without this, no loans can form a ring.
    has_inversion: bool,
    last_mark: Cell<u32>,
    gained: Vec<Loan>,
    gained_links: Vec<Link>,
    receivers: Vec<u32>,
}

impl Loans {
    pub fn new() -> Loans {
        Loans::default()
    }

    pub fn clear(&mut self) {
        for (slot, state) in self.slots.iter().enumerate() {
            if state.is_linked {
                self.links_into[slot].clear();
                self.links_out_of[slot].clear();
            }
        }
        self.slots.clear();
        self.loans.clear();
        self.has_inversion = false;
    }

    /// Holds a value: filled, not moved, not dropped.
    pub fn is_live(&self, slot: u32) -> bool {
        self.slots.get(slot as usize).is_some_and(|s| s.is_live)
    }

    /// Whether the slot can be used with `mode` once its [`conflicts`](Loans::conflicts) are dropped.
    ///
    /// Only a ring of loans (two values that borrow from each other, or one that borrows from itself) says no to a live slot.
    pub fn can_use(&self, slot: u32, mode: Mode) -> bool {
        self.is_live(slot) && !(self.has_inversion && self.is_in_the_way_of_itself(slot, mode))
    }

    /// Appends the slots that have to be dropped before `slot` can be used with `mode`, each before those it borrows from.
    ///
    /// What `out` already holds is taken as dropped, so several arguments can add to one list.
    pub fn conflicts(&self, slot: u32, mode: Mode, out: &mut Vec<u32>) {
        if self.n_lent(slot) == 0 {
            return;
        }
        let mark = self.new_mark();
        for &done in out.iter() {
            self.slots[done as usize].mark.set(mark);
        }
        for loan in self.loans.iter().rev() {
            if loan.owner == slot && conflicts_with(mode, loan.is_exclusive) {
                self.push_with_borrowers(loan.borrower, mark, out);
            }
        }
    }

    /// Whether some borrower has to go before `slot` can be used with `mode`.
    pub fn has_conflict(&self, slot: u32, mode: Mode) -> bool {
        self.n_lent(slot) != 0
            && self.loans.iter().any(|loan| loan.owner == slot && conflicts_with(mode, loan.is_exclusive))
    }

    /// Whether one call can take all these arguments at once, once the conflicts of each are dropped.
    pub fn args_are_compatible(&self, args: &[Arg]) -> bool {
        for (i, a) in args.iter().enumerate() {
            for b in &args[i + 1..] {
                if a.slot() == b.slot() && !(is_shared(a.mode()) && is_shared(b.mode())) {
                    return false;
                }
            }
            // Dropping what conflicts with this argument must not take away another one.
            if self.n_lent(a.slot()) == 0 {
                continue;
            }
            let mark = self.new_mark();
            for loan in &self.loans {
                if loan.owner == a.slot() && conflicts_with(a.mode(), loan.is_exclusive) {
                    self.mark_with_borrowers(loan.borrower, mark);
                }
            }
            if args.iter().any(|b| self.slots.get(b.slot() as usize).is_some_and(|s| s.mark.get() == mark)) {
                return false;
            }
        }
        true
    }

    /// Whether the call would make a slot borrow from itself or from one that was made later.
    ///
    /// At the end, and when a panic unwinds, the later one is dropped first. rustc accepts that only if dropping the
    /// borrower runs no code, so a borrower with `needs_drop` must not get into that position.
    pub fn inverts(&mut self, op: &Op, args: &[Arg], needs_drop: impl Fn(u32) -> bool) -> bool {
        self.gather(op, args, u32::MAX);
        self.gained.iter().any(|loan| loan.borrower <= loan.owner && needs_drop(loan.borrower))
    }

    /// The slot is empty from here on; the loans it held are over.
    pub fn end(&mut self, slot: u32) {
        let Some(state) = self.slots.get_mut(slot as usize) else {
            return;
        };
        state.is_live = false;
        let n_held = state.n_held;
        if std::mem::take(&mut state.is_linked) {
            self.unlink(slot);
        }
        if n_held == 0 {
            return;
        }
        let slots = &mut self.slots;
        self.loans.retain(|loan| {
            if loan.borrower != slot {
                return true;
            }
            slots[loan.owner as usize].n_lent -= 1;
            false
        });
        slots[slot as usize].n_held = 0;
    }

    /// Records a call: what its arguments lose, and what the result and other arguments borrow from now on.
    ///
    /// The conflicts of the arguments must have been dropped before.
    pub fn call(&mut self, op: &Op, args: &[Arg], result_slot: u32) {
        self.gather(op, args, result_slot);
        self.apply_gained(args, result_slot);
    }

    /// Records a callback: it borrows what it captured by reference and takes over the loans of what it captured by value.
    pub fn callback(&mut self, captures: &[Arg], slot: u32) {
        self.gained.clear();
        self.gained_links.clear();
        for &arg in captures {
            self.gain_outer(arg, slot);
        }
        self.apply_gained(captures, slot);
    }

    /// Records a value that borrows nothing: a literal, or an input of the body.
    pub fn literal(&mut self, slot: u32) {
        self.state_mut(slot).is_live = true;
    }

    /// Holds any loan; such a value cannot go where `'static` is asked for.
    pub fn borrows(&self, slot: u32) -> bool {
        self.slots.get(slot as usize).is_some_and(|s| s.n_held > 0)
    }

    pub fn holds_exclusive(&self, slot: u32) -> bool {
        self.borrows(slot) && self.loans.iter().any(|loan| loan.borrower == slot && loan.is_exclusive)
    }

    /// Somebody may change the slot behind its back: it must not be looked at.
    pub fn is_lent_exclusively(&self, slot: u32) -> bool {
        self.has_conflict(slot, Mode::Ref)
    }

    fn n_lent(&self, slot: u32) -> u32 {
        self.slots.get(slot as usize).map_or(0, |s| s.n_lent)
    }

    fn state_mut(&mut self, slot: u32) -> &mut SlotState {
        let index = slot as usize;
        if index >= self.slots.len() {
            self.slots.resize(index + 1, SlotState::default());
        }
        &mut self.slots[index]
    }

    fn new_mark(&self) -> u32 {
        let mark = self.last_mark.get().wrapping_add(1);
        if mark == 0 {
            // Old marks could be mistaken for new ones after four billion searches.
            for slot in &self.slots {
                slot.mark.set(0);
            }
            self.last_mark.set(1);
            return 1;
        }
        self.last_mark.set(mark);
        mark
    }

    fn push_with_borrowers(&self, slot: u32, mark: u32, out: &mut Vec<u32>) {
        let state = &self.slots[slot as usize];
        if state.mark.replace(mark) == mark {
            return;
        }
        if state.n_lent > 0 {
            for loan in self.loans.iter().rev() {
                if loan.owner == slot {
                    self.push_with_borrowers(loan.borrower, mark, out);
                }
            }
        }
        out.push(slot);
    }

    fn mark_with_borrowers(&self, slot: u32, mark: u32) {
        let state = &self.slots[slot as usize];
        if state.mark.replace(mark) != mark && state.n_lent > 0 {
            for loan in &self.loans {
                if loan.owner == slot {
                    self.mark_with_borrowers(loan.borrower, mark);
                }
            }
        }
    }

    /// Whether clearing the way for `slot` would have to drop a member of a ring, which cannot be dropped, or `slot` itself.
    fn is_in_the_way_of_itself(&self, slot: u32, mode: Mode) -> bool {
        let mut order = Vec::new();
        self.conflicts(slot, mode, &mut order);
        let mut left = order.clone();
        left.push(slot);
        order.iter().any(|&dropped| {
            let still_lends = self.loans.iter().any(|loan| loan.owner == dropped && left.contains(&loan.borrower));
            left.retain(|&other| other != dropped);
            still_lends || dropped == slot
        })
    }

    /// Collects the loans that follow from the signature. `result_slot` is the borrower of what flows into the result.
    fn gather(&mut self, op: &Op, args: &[Arg], result_slot: u32) {
        self.gained.clear();
        self.gained_links.clear();
        for flow in &op.flows {
            let Some(&arg) = args.get(usize::from(flow.arg)) else {
                continue;
            };
            match flow.target {
                FlowTarget::Result => self.gain(arg, flow.part, result_slot),
                FlowTarget::Arg(to) => {
                    let Some(&to) = args.get(usize::from(to)) else {
                        continue;
                    };
                    self.find_receivers(to);
                    for at in 0..self.receivers.len() {
                        self.gain(arg, flow.part, self.receivers[at]);
                    }
                }
            }
        }
    }

    /// The slots that can reach a value stored through `to`: its own slot, those it borrows from, and what rustc takes
    /// to have come from any of them.
    ///
    /// Through an exclusive path only exclusive owners can have been written to, also where it is passed by value: the
    /// entry of a map leads to the map. A shared path into which something can be stored has interior mutability, and then
    /// any owner may be the one.
    fn find_receivers(&mut self, to: Arg) {
        self.receivers.clear();
        self.receivers.push(to.slot());
        let any_path = is_shared(to.mode());
        let mut at = 0;
        while at < self.receivers.len() {
            let slot = self.receivers[at];
            at += 1;
            if !self.borrows(slot) {
                continue;
            }
            for loan in &self.loans {
                if loan.borrower == slot && (any_path || loan.is_exclusive) && !self.receivers.contains(&loan.owner) {
                    self.receivers.push(loan.owner);
                }
            }
        }
        for at in 0..self.receivers.len() {
            let slot = self.receivers[at];
            if !self.slots.get(slot as usize).is_some_and(|s| s.is_linked) {
                continue;
            }
            for &to in &self.links_out_of[slot as usize] {
                if !self.receivers.contains(&to) {
                    self.receivers.push(to);
                }
            }
        }
        // It is gone when the call begins.
        if to.mode() == Mode::Move {
            self.receivers.retain(|receiver| *receiver != to.slot());
        }
    }

    fn gain(&mut self, arg: Arg, part: FlowPart, borrower: u32) {
        match part {
            FlowPart::Outer => self.gain_outer(arg, borrower),
            FlowPart::Inner => self.gain_inner(arg.slot(), borrower),
        }
    }

    fn gain_outer(&mut self, arg: Arg, borrower: u32) {
        let is_exclusive = match arg.mode() {
            Mode::Move | Mode::Copy => return self.gain_inner(arg.slot(), borrower),
            Mode::Ref | Mode::Reborrow => false,
            Mode::RefMut | Mode::ReborrowMut => true,
        };
        self.gained.push(Loan { borrower, owner: arg.slot(), is_exclusive });
    }

    fn gain_inner(&mut self, from: u32, borrower: u32) {
        if from == borrower {
            return;
        }
        self.gained_links.push(Link { from, to: borrower });
        if !self.borrows(from) {
            return;
        }
        for loan in &self.loans {
            if loan.borrower == from {
                self.gained.push(Loan { borrower, ..*loan });
            }
        }
    }

    fn apply_gained(&mut self, args: &[Arg], result_slot: u32) {
        self.state_mut(result_slot).is_live = true;
        for at in 0..self.gained_links.len() {
            self.record_link(self.gained_links[at]);
        }
        for arg in args {
            if arg.mode() == Mode::Move {
                self.end(arg.slot());
            }
        }
        for at in 0..self.gained.len() {
            let gained = self.gained[at];
            if self.is_live(gained.owner) && self.is_live(gained.borrower) {
                self.record(gained);
            }
        }
    }

    fn record_link(&mut self, Link { from, to }: Link) {
        self.make_linked(from);
        self.make_linked(to);
        if self.links_into[to as usize].contains(&from) {
            return;
        }
        let mark = self.new_mark();
        for &known in &self.links_into[to as usize] {
            self.slots[known as usize].mark.set(mark);
        }
        for at in 0..self.links_into[from as usize].len() {
            let earlier = self.links_into[from as usize][at];
            if earlier != to && self.slots[earlier as usize].mark.get() != mark {
                self.add_link(earlier, to);
            }
        }
        self.add_link(from, to);
    }

    fn add_link(&mut self, from: u32, to: u32) {
        self.links_into[to as usize].push(from);
        self.links_out_of[from as usize].push(to);
    }

    fn make_linked(&mut self, slot: u32) {
        self.state_mut(slot).is_linked = true;
        if self.links_into.len() <= slot as usize {
            self.links_into.resize_with(slot as usize + 1, Vec::new);
            self.links_out_of.resize_with(slot as usize + 1, Vec::new);
        }
    }

    fn unlink(&mut self, slot: u32) {
        let mut others = std::mem::take(&mut self.links_into[slot as usize]);
        others.drain(..).for_each(|from| self.links_out_of[from as usize].retain(|to| *to != slot));
        self.links_into[slot as usize] = others;
        let mut others = std::mem::take(&mut self.links_out_of[slot as usize]);
        others.drain(..).for_each(|to| self.links_into[to as usize].retain(|from| *from != slot));
        self.links_out_of[slot as usize] = others;
    }

    fn record(&mut self, gained: Loan) {
        if self.borrows(gained.borrower) && self.n_lent(gained.owner) > 0 {
            let same = |loan: &&mut Loan| loan.borrower == gained.borrower && loan.owner == gained.owner;
            if let Some(known) = self.loans.iter_mut().find(same) {
                known.is_exclusive |= gained.is_exclusive;
                return;
            }
        }
        self.has_inversion |= gained.borrower <= gained.owner;
        self.slots[gained.borrower as usize].n_held += 1;
        self.slots[gained.owner as usize].n_lent += 1;
        self.loans.push(gained);
    }
}

fn is_shared(mode: Mode) -> bool {
    matches!(mode, Mode::Copy | Mode::Ref | Mode::Reborrow)
}

fn conflicts_with(mode: Mode, is_exclusive: bool) -> bool {
    is_exclusive || !is_shared(mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;

    /// One list of all links, gone through for each new one.
    #[derive(Default)]
    struct ListOfLinks(Vec<Link>);

    impl ListOfLinks {
        fn record(&mut self, gained: Link) {
            if self.0.contains(&gained) {
                return;
            }
            for at in 0..self.0.len() {
                let earlier = Link { from: self.0[at].from, to: gained.to };
                if self.0[at].to == gained.from && earlier.from != earlier.to && !self.0.contains(&earlier) {
                    self.0.push(earlier);
                }
            }
            self.0.push(gained);
        }

        fn end(&mut self, slot: u32) {
            self.0.retain(|link| link.from != slot && link.to != slot);
        }

        fn out_of(&self, slot: u32) -> Vec<u32> {
            self.0.iter().filter(|link| link.from == slot).map(|link| link.to).collect()
        }
    }

    /// Programs of `url` have links between most of their values: with one list, a search spent four fifths of its time on it.
    #[test]
    fn links_by_slot_are_those_of_one_list_in_the_same_order() {
        const N_SLOTS: usize = 24;
        let mut rng = crate::rng::Rng::new(7);
        let mut loans = Loans::new();
        for _ in 0..40 {
            loans.clear();
            let mut list = ListOfLinks::default();
            for _ in 0..300 {
                let [from, to] = [(); 2].map(|()| rng.below(N_SLOTS) as u32);
                if rng.percent(5) {
                    loans.state_mut(from).is_live = true;
                    loans.end(from);
                    list.end(from);
                } else if from != to {
                    loans.record_link(Link { from, to });
                    list.record(Link { from, to });
                }
            }
            for slot in 0..N_SLOTS as u32 {
                let links = loans.links_out_of.get(slot as usize).cloned().unwrap_or_default();
                assert_eq!(links, list.out_of(slot), "{slot}");
            }
        }
    }

    /// The loans after a program that keeps the rules.
    fn after(text: &str) -> Loans {
        let api = sample::api();
        let body = sample::body(&api, text);
        let mut loans = Loans::new();
        for (index, statement) in body.statements.iter().enumerate() {
            let args = body.args_of(statement);
            match statement.kind {
                provoke_wire::StatementKind::Call => {
                    loans.call(&api.ops[statement.op as usize], args, index as u32);
                }
                provoke_wire::StatementKind::Drop => loans.end(args[0].slot()),
                _ => loans.literal(index as u32),
            }
        }
        loans
    }

    fn conflicts(loans: &Loans, slot: u32, mode: Mode) -> Vec<u32> {
        let mut out = Vec::new();
        loans.conflicts(slot, mode, &mut out);
        out
    }

    #[test]
    fn borrowers_are_dropped_before_what_they_borrow_from() {
        let loans = after("x = make; v = view &x; p = borrow_view &v; w = view &x");
        assert_eq!(conflicts(&loans, 0, Mode::RefMut), [3, 2, 1]);
        assert_eq!(conflicts(&loans, 0, Mode::Ref), [0u32; 0]);
        assert_eq!(conflicts(&loans, 1, Mode::Move), [2]);
        // An older borrower of a younger owner, and what borrows from it.
        let loans = after("v = new_view; x = make; add_to_view &mut v &x; p = borrow_view &v");
        assert_eq!(conflicts(&loans, 1, Mode::Move), [3, 0]);
    }

    #[test]
    fn what_is_stored_through_a_reference_that_is_passed_on_stays_where_that_leads() {
        let loans = after("v = new_view; x = make; m = view_as_mut &mut v; add_to_view m &x");
        assert_eq!(conflicts(&loans, 1, Mode::Move), [0]);
        let loans = after("y = make; x = make; v = view &y; add_to_view &mut v &x");
        assert_eq!(conflicts(&loans, 1, Mode::Move), [2], "nothing is stored in what is only looked at");
    }

    #[test]
    fn conflicts_of_several_arguments_add_up_without_repetition() {
        let loans = after("x = make; y = make; v = view &x; add_to_view &mut v &y; w = view &y");
        let mut out = Vec::new();
        loans.conflicts(0, Mode::RefMut, &mut out);
        assert_eq!(out, [2]);
        loans.conflicts(1, Mode::RefMut, &mut out);
        assert_eq!(out, [2, 4]);
    }

    #[test]
    fn a_value_lent_exclusively_is_not_looked_at() {
        let loans = after("x = make; m = lend_mut &mut x; y = make; r = lend &y");
        assert!(loans.is_lent_exclusively(0) && !loans.is_lent_exclusively(1));
        assert!(!loans.is_lent_exclusively(2));
        assert!(loans.holds_exclusive(1) && !loans.holds_exclusive(3));
        assert!(loans.borrows(1) && loans.borrows(3) && !loans.borrows(0));
    }

    #[test]
    fn a_ring_of_loans_bars_what_would_have_to_drop_its_members() {
        let loans = after("v = new_view; tie_view &mut v");
        assert!(loans.is_live(0));
        assert!(!loans.can_use(0, Mode::Ref) && !loans.can_use(0, Mode::Move));
        let loans = after("v = new_view; x = make; add_to_view &mut v &x");
        assert!(loans.can_use(1, Mode::Move), "dropping the view clears the way");
    }

    #[test]
    fn nothing_is_left_after_clear() {
        let mut loans = after("v = new_view; tie_view &mut v; x = make; r = lend &x");
        loans.clear();
        loans.literal(0);
        assert!(loans.can_use(0, Mode::Move) && !loans.is_live(2) && !loans.borrows(3));
        assert!(loans.loans.is_empty());
        assert!(loans.links_into.iter().chain(&loans.links_out_of).all(Vec::is_empty));
    }
}
