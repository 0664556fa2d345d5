//! What holds over the life of an object, and which lives are led.

/// Rings until somebody stops it.
#[derive(Debug, Clone)]
pub struct Bell {
    is_ringing: bool,
    n_pulled: u32,
}

impl Bell {
    pub fn new() -> Bell {
        Bell { is_ringing: false, n_pulled: 0 }
    }

    pub fn pull(&mut self) {
        self.n_pulled += 1;
        // The third pull stops it, which nobody expects.
        self.is_ringing = self.n_pulled != 3;
    }

    pub fn look(&self) -> bool {
        self.is_ringing
    }
}

impl Bell {
    // expected: error temporal Bell::pull: `unless` of `rings_on` is broken
    #[provoke::temporal]
    fn rings_on(&self, watch: &mut provoke::Watch) {
        watch.unless(self.is_ringing, false);
    }

    // kept: it is pulled by one at a time, also where a clone of another one is pulled on
    #[provoke::temporal]
    fn counts(&self, watch: &mut provoke::Watch) {
        let before: &mut Option<u32> = watch.state();
        let is_next = before.is_none_or(|before| self.n_pulled - before <= 1);
        *before = Some(self.n_pulled);
        watch.require(is_next);
    }
}

/// Has to be put out before it is thrown away, which is for its owner to do.
#[derive(Debug)]
pub struct Candle {
    is_lit: bool,
}

impl Candle {
    pub fn lit() -> Candle {
        Candle { is_lit: true }
    }

    pub fn put_out(&mut self) {
        self.is_lit = false;
    }
}

impl Candle {
    // kept: nobody throws away a burning one
    #[provoke::temporal]
    fn goes_out(&self, watch: &mut provoke::Watch) {
        watch.eventually_before_drop(!self.is_lit);
    }

    #[provoke::model]
    fn is_put_out_first(&self, step: provoke::Step<'_>) -> bool {
        step.name != "drop" || !self.is_lit
    }
}

/// Slides back by itself when it is let go of, it says.
#[derive(Debug)]
pub struct Bolt {
    is_drawn: bool,
}

impl Bolt {
    pub fn new() -> Bolt {
        Bolt { is_drawn: false }
    }

    pub fn draw(&mut self) {
        self.is_drawn = true;
    }

    pub fn shoot(&mut self) {
        self.is_drawn = false;
    }
}

impl Bolt {
    // expected: error temporal Bolt::draw: `leads_to` of `is_shot_again` is broken
    #[provoke::temporal]
    fn is_shot_again(&self, watch: &mut provoke::Watch) {
        watch.leads_to(self.is_drawn, !self.is_drawn);
    }
}

/// Refuses to go where nobody sends it.
#[derive(Debug, Clone)]
pub struct Courier {
    n_letters: u32,
}

impl Courier {
    pub fn new() -> Courier {
        Courier { n_letters: 0 }
    }

    pub fn take(&mut self) {
        self.n_letters += 1;
    }

    pub fn deliver(&mut self) {
        self.n_letters -= 1;
    }
}

impl Courier {
    // kept: what is not there is never delivered
    #[provoke::model]
    fn takes_before_it_delivers(&self, step: provoke::Step<'_>, n_taken: &mut i64) -> bool {
        *n_taken += match step.name {
            "take" => 1,
            "deliver" => -1,
            _ => 0,
        };
        *n_taken >= 0
    }
}

/// Rungs that are lent while one climbs.
#[derive(Debug, Default)]
pub struct Ladder {
    rungs: Vec<u8>,
    n_worn: usize,
}

impl Ladder {
    pub fn new() -> Ladder {
        Ladder { rungs: vec![0; 3], n_worn: 0 }
    }

    pub fn rungs(&mut self) -> std::slice::IterMut<'_, u8> {
        self.n_worn += 1;
        self.rungs.iter_mut()
    }
}

impl Ladder {
    // expected: error temporal Ladder::rungs: `always` of `holds` is broken
    #[provoke::temporal]
    fn holds(&self, watch: &mut provoke::Watch) {
        watch.always(self.n_worn < 3);
    }
}
