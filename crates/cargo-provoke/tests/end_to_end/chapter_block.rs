//! One block of code or output in a chapter of the docs, with the comment before it that says what it is.

pub struct Block<'a> {
    pub sample: Sample<'a>,
    /// Where in the chapter the body starts.
    pub start: usize,
    pub body: &'a str,
}

pub enum Sample<'a> {
    /// `file: NAME`, of the crate that the chapter starts with.
    File(&'a str),
    /// `excerpt: NAME`: lines of a file of the repository, whatever their indentation.
    Excerpt(&'a str),
    /// `change: NAME`: of a file of the crate, as a diff.
    Change(&'a str),
    /// `run`: a command.
    Run,
    /// `finding: TIER ORACLE FUNCTION`, or `…, without its steps`: what the last run said about it.
    Finding { named: &'a str, has_steps: bool },
    /// `last lines`: how the last run ended.
    LastLines,
    /// `shell`: something else to type, which stands in the tests that the tool writes.
    Shell,
    /// `summary: FIELD` of `summary.json`.
    Summary(&'a str),
}

impl<'a> Block<'a> {
    /// All blocks of a chapter. Those without a comment would be samples that nobody compares with anything.
    pub fn all_of(chapter: &'a str) -> Vec<Block<'a>> {
        let mut blocks = Vec::new();
        let mut open: Option<(Sample<'a>, usize)> = None;
        let mut line_before = "";
        let mut at = 0;
        for line in chapter.split_inclusive('\n') {
            let is_fence = line.starts_with("```");
            match open.take() {
                None if is_fence => {
                    let sample = Sample::of(line_before.trim_end());
                    let sample = sample.unwrap_or_else(|| panic!("no comment says what this is: {line_before}{line}"));
                    open = Some((sample, at + line.len()));
                }
                Some((sample, start)) if is_fence => blocks.push(Block { sample, start, body: &chapter[start..at] }),
                still => open = still,
            }
            line_before = line;
            at += line.len();
        }
        assert!(open.is_none(), "the last block has no end");
        blocks
    }
}

impl<'a> Sample<'a> {
    /// `None` if the line is no such comment.
    fn of(line: &'a str) -> Option<Sample<'a>> {
        let comment = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        Some(match comment.split_once(": ") {
            Some(("file", name)) => Sample::File(name),
            Some(("excerpt", name)) => Sample::Excerpt(name),
            Some(("change", name)) => Sample::Change(name),
            Some(("summary", field)) => Sample::Summary(field),
            Some(("finding", named)) => match named.strip_suffix(", without its steps") {
                Some(named) => Sample::Finding { named, has_steps: false },
                None => Sample::Finding { named, has_steps: true },
            },
            None if comment == "run" => Sample::Run,
            None if comment == "last lines" => Sample::LastLines,
            None if comment == "shell" => Sample::Shell,
            _ => return None,
        })
    }
}
