//! The parts of a page that a command writes: between `<!-- figures: NAME -->` and `<!-- end -->`.

use crate::outcome::Outcome;

const BEGIN: &str = "<!-- figures: ";
const BEGIN_END: &str = " -->\n";
const END: &str = "<!-- end -->";

/// Puts new text into each block, by its name.
pub(super) fn fill(page: &str, text: impl Fn(&str) -> Option<String>) -> Outcome<String> {
    let mut filled = String::with_capacity(page.len());
    let mut rest = page;
    while let Some((before, block)) = rest.split_once(BEGIN) {
        let (name, block) = block
            .split_once(BEGIN_END)
            .ok_or("a block's name does not end its line")?;
        let (_, after) = block
            .split_once(END)
            .ok_or_else(|| format!("the block {name:?} has no end"))?;
        let text = text(name).ok_or_else(|| format!("there are no figures of {name:?}"))?;
        for part in [before, BEGIN, name, BEGIN_END, &text, END] {
            filled.push_str(part);
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::fill;

    fn named(name: &str) -> Option<String> {
        (name != "unknown").then(|| format!("[{name}]\n"))
    }

    #[test]
    fn only_blocks_are_written_anew() {
        let page =
            "a\n<!-- figures: x -->\nold\n<!-- end -->\nb\n<!-- figures: y -->\n<!-- end -->\n";
        let expected = "a\n<!-- figures: x -->\n[x]\n<!-- end -->\nb\n<!-- figures: y -->\n[y]\n<!-- end -->\n";
        let filled = fill(page, named).expect("the page is whole");
        assert_eq!(filled, expected);
        assert_eq!(fill(&filled, named).expect("it stays whole"), expected);
    }

    #[test]
    fn a_broken_page_says_what_is_wrong_with_it() {
        for (page, expected) in [
            (
                "<!-- figures: unknown -->\n<!-- end -->",
                "no figures of \"unknown\"",
            ),
            ("<!-- figures: x -->\n", "\"x\" has no end"),
            ("<!-- figures: x\n", "end its line"),
        ] {
            let told = fill(page, named)
                .expect_err("the page is broken")
                .to_string();
            assert!(told.contains(expected), "{told}");
        }
    }
}
