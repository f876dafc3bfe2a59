//! A short, clean excerpt of a body that is not what was expected: an error page of a gateway, a log-in form, plain text.

use super::media::Media;

/// How many characters of a foreign body a message shows.
const SHOWN: usize = 200;

/// The first characters of a body as one line, without tags and control characters. Empty if nothing readable is in it.
pub(crate) fn excerpt(body: &[u8], media: &Media) -> String {
    let text = String::from_utf8_lossy(body);
    let looks_like_markup = text.trim_start().starts_with('<');
    let text = if media.is_markup() || looks_like_markup {
        without_tags(&text)
    } else {
        text.into_owned()
    };
    shorten(&text)
}

/// Drops tags, and the content of comments, `script` and `style`, which nobody wants to read.
fn without_tags(text: &str) -> String {
    let mut readable = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        readable.push_str(&rest[..at]);
        readable.push(' ');
        let tag = &rest[at + 1..];
        let inside = silent_content(tag).unwrap_or(0);
        rest = tag[inside..]
            .find('>')
            .map_or("", |end| &tag[inside + end + 1..]);
    }
    readable.push_str(rest);
    for (entity, character) in ENTITIES {
        readable = readable.replace(entity, character);
    }
    readable
}

/// The entities that error pages use; the ampersand last, so that nothing is decoded twice.
const ENTITIES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&nbsp;", " "),
    ("&amp;", "&"),
];

/// Up to where the content of an element that is no text goes, if this tag opens one.
fn silent_content(tag: &str) -> Option<usize> {
    let (name, end) = [("script", "</script"), ("style", "</style"), ("!--", "--")]
        .into_iter()
        .find(|(name, _)| {
            tag.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        })?;
    let content = &tag.as_bytes()[name.len()..];
    let found = content
        .windows(end.len())
        .position(|part| part.eq_ignore_ascii_case(end.as_bytes()));
    Some(found.map_or(tag.len(), |at| name.len() + at))
}

/// One line of at most [`SHOWN`] characters; runs of white space and control characters become one space.
fn shorten(text: &str) -> String {
    let words = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty());
    let mut line = String::new();
    let mut room = SHOWN;
    for word in words {
        let gap = if line.is_empty() { "" } else { " " };
        let length = gap.len() + word.chars().count();
        if length > room {
            if room > gap.len() {
                line.push_str(gap);
                line.extend(word.chars().take(room - gap.len()));
            }
            line.push('…');
            break;
        }
        line.push_str(gap);
        line.push_str(word);
        room -= length;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{Media, excerpt};

    #[test]
    fn an_excerpt_is_one_short_line_without_tags() {
        let html = Media::Other("text/html".to_owned());
        let text = Media::Other("text/plain".to_owned());
        let long = "x".repeat(500);
        let cases = [
            (
                &html,
                "<html><title>502 Bad Gateway</title><body>\n<h1>502</h1> nginx</body></html>",
                "502 Bad Gateway 502 nginx",
            ),
            (
                &html,
                "<style>b{c}</style><script>x('<b>')</SCRIPT><p>Log &amp; in</p>",
                "Log & in",
            ),
            (&html, "a<!-- <b>x</b> -->c", "a c"),
            (
                &text,
                "plain\u{1b}[31m  text\r\nmore",
                "plain [31m text more",
            ),
            (&Media::Absent, "  <p>guessed</p>", "guessed"),
            (&html, "<unclosed", ""),
            (&text, "", ""),
        ];
        for (media, body, expected) in cases {
            assert_eq!(excerpt(body.as_bytes(), media), expected, "{body:?}");
        }
        let cut = format!("{}…", "x".repeat(200));
        for long in [long, format!("{} y", "x".repeat(200))] {
            assert_eq!(excerpt(long.as_bytes(), &text), cut);
        }
    }
}
