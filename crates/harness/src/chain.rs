//! An error with its causes as one line: the chain is put together once, where a person reads it.

/// `error: cause: cause of the cause`. A cause that the text already tells is not repeated.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let words = source.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = source.source();
    }
    text
}
