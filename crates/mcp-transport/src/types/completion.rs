//! Suggestions for the value of an argument.

/// What an argument belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompletionRef<'a> {
    /// A prompt, by its name.
    Prompt(&'a str),
    /// A template of resources, by its text.
    Resource(&'a str),
}

/// Suggestions for the value of an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The suggestions.
    pub values: Vec<String>,
    /// How many there are altogether, if the server knows.
    pub total: Option<u64>,
    /// Whether there are more.
    pub has_more: bool,
}
