//! Types with every way to make a value of them.

/// By a literal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub fn swapped(self) -> Point {
        Point { x: self.y, y: self.x }
    }

    pub fn shift(&mut self, by: f64) {
        self.x += by;
        self.y += by;
    }
}

/// By a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair(pub u8, pub String);

impl Pair {
    pub fn name(&self) -> &str {
        &self.1
    }
}

/// By its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unit;

impl Unit {
    pub fn is_unit(self) -> bool {
        self == Unit
    }
}

/// By its variants.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Nothing,
    Dot(Point),
    Line { from: Point, to: Point },
    Group(Vec<Shape>),
}

impl Shape {
    pub fn count(&self) -> usize {
        match self {
            Shape::Nothing => 0,
            Shape::Dot(_) => 1,
            Shape::Line { .. } => 2,
            Shape::Group(shapes) => shapes.iter().map(Shape::count).sum(),
        }
    }
}

/// By a constant only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret(u32);

impl Secret {
    pub(crate) const fn of(value: u32) -> Secret {
        Secret(value)
    }

    pub fn into_inner(self) -> u32 {
        self.0
    }
}

/// By an associated constant only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level(u8);

impl Level {
    pub const LOW: Level = Level(1);
    pub const HIGH: Level = Level(9);

    pub fn is_high(self) -> bool {
        self == Level::HIGH
    }
}

/// By a function only, as nobody else may write a literal of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Settings {
    pub width: u8,
}

impl Settings {
    pub fn narrow() -> Settings {
        Settings { width: 1 }
    }

    pub fn is_narrow(&self) -> bool {
        self.width < 9
    }
}

/// By a chain of calls.
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
    size: usize,
}

impl Builder {
    pub fn new() -> Builder {
        Builder::default()
    }

    pub fn name(mut self, name: impl Into<String>) -> Builder {
        self.name = Some(name.into());
        self
    }

    pub fn size(&mut self, size: usize) -> &mut Builder {
        self.size = size;
        self
    }

    pub fn build(self) -> Result<Built, NoName> {
        let name = self.name.ok_or(NoName)?;
        Ok(Built { name, size: self.size })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoName;

/// By a builder only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    name: String,
    size: usize,
}

impl Built {
    pub fn describe(&self) -> String {
        format!("{}: {}", self.name, self.size)
    }
}
