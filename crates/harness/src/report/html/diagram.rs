//! Rows as SVG. Sizes are in CSS pixels; colours and fonts are the page's.

use maud::{Markup, html};

use super::sequence::{Row, Sequence, Shape};

/// Left of the first lane: the numbers.
const GUTTER: usize = 44;
/// What a wide window has room for; few lanes share it, so that their labels are cut less.
const ROOM: usize = 1_180;
/// From the middle of a lane to the middle of the next, at least and at most.
const LANE: (usize, usize) = (230, 320);
const HEAD: usize = 44;
const ROW: usize = 34;
const DIVIDER: usize = 46;
/// The width of a character of a label, which is set in a monospaced font of 11 pixels.
const CHARACTER: usize = 7;
/// Between a label and the line that it belongs to.
const GAP: usize = 6;

/// The diagram of a scenario; its rows link to the messages `id-1`, `id-2`, …
pub(super) fn diagram(sequence: &Sequence, id: &str, title: &str) -> Markup {
    let canvas = Canvas::new(sequence.lanes.len());
    let tops: Vec<usize> = sequence
        .rows
        .iter()
        .scan(HEAD, |top, row| {
            let at = *top;
            *top += height(row);
            Some(at)
        })
        .collect();
    let (width, end) = (canvas.width, tops.last().map_or(HEAD, |top| top + DIVIDER));
    let total = end + HEAD;
    html! {
        div class="scroll" role="region" tabindex="0" aria-label={ "Sequence diagram: " (title) } {
            svg class="sequence" width=(width) height=(total) viewBox={ "0 0 " (width) " " (total) } {
                @for (lane, name) in sequence.lanes.iter().enumerate() {
                    line class="life" x1=(canvas.middle(lane)) x2=(canvas.middle(lane)) y1=(HEAD - 8) y2=(end) {}
                    (canvas.head(lane, name, 4))
                    (canvas.head(lane, name, end))
                }
                @for (row, top) in sequence.rows.iter().zip(tops) {
                    (canvas.row(row, top, id))
                }
            }
        }
        @if sequence.more > 0 {
            p class="more" { (sequence.more) " more steps stand in the list of messages." }
        }
    }
}

fn height(row: &Row) -> usize {
    if row.shape == Shape::Divider {
        DIVIDER
    } else {
        ROW
    }
}

/// Where things stand from left to right.
struct Canvas {
    lane: usize,
    width: usize,
}

impl Canvas {
    fn new(lanes: usize) -> Canvas {
        let lane = (ROOM / lanes.max(1)).clamp(LANE.0, LANE.1);
        Canvas {
            lane,
            width: GUTTER + lane * lanes,
        }
    }

    fn middle(&self, lane: usize) -> usize {
        GUTTER + self.lane / 2 + self.lane * lane
    }

    fn head(&self, lane: usize, name: &str, top: usize) -> Markup {
        let (width, middle) = (self.lane - 40, self.middle(lane));
        html! {
            rect class="head" x=(middle - width / 2) y=(top) width=(width) height="30" rx="6" {}
            text class="name" x=(middle) y=(top + 20) text-anchor="middle" {
                (cut(name, width / 8))
            }
        }
    }

    fn row(&self, row: &Row, top: usize, id: &str) -> Markup {
        let class = if row.label.failed { "row bad" } else { "row" };
        let all = self.width - GUTTER;
        let baseline = top + height(row) - 14;
        html! {
            a class=(class) href={ "#" (id) "-" (row.number) } {
                title { (row.label.text) }
                rect class="hit" x="0" y=(top) width=(self.width) height=(height(row)) {}
                text class="number" x=(GUTTER - 12) y=(baseline) text-anchor="end" { (row.number) }
                @match row.shape {
                    Shape::Divider => (self.divider(row, top)),
                    Shape::Arrow { from, to, reply } => (self.arrow(row, top, (from, to), reply)),
                    Shape::Note { lane } => (note(row, top, self.middle(lane), self.lane - 30, "note")),
                    Shape::Event => (note(row, top, GUTTER + all / 2, all - 30, "note event")),
                }
            }
        }
    }

    fn divider(&self, row: &Row, top: usize) -> Markup {
        html! {
            line class="rule" x1=(GUTTER) x2=(self.width - 10) y1=(top + 10) y2=(top + 10) {}
            text class="chapter" x=(GUTTER) y=(top + 32) {
                (cut(&row.label.text, (self.width - GUTTER) / CHARACTER))
            }
        }
    }

    fn arrow(&self, row: &Row, top: usize, (from, to): (usize, usize), reply: bool) -> Markup {
        let (left, right) = (self.middle(from.min(to)), self.middle(from.max(to)));
        let y = top + ROW - 8;
        let (tip, back) = if to > from {
            (right - 1, right - 8)
        } else {
            (left + 1, left + 8)
        };
        let class = if reply { "arrow reply" } else { "arrow" };
        html! {
            line class=(class) x1=(left) x2=(right) y1=(y) y2=(y) {}
            path class="tip" d={ "M" (tip) " " (y) " L" (back) " " (y - 4) " L" (back) " " (y + 4) " Z" } {}
            text class="label" x=(left + 12) y=(y - GAP) {
                (cut(&row.label.text, (right - left - 24) / CHARACTER))
            }
        }
    }
}

fn note(row: &Row, top: usize, center: usize, room: usize, class: &str) -> Markup {
    let text = cut(&row.label.text, (room - 16) / CHARACTER);
    let width = text.chars().count() * CHARACTER + 20;
    html! {
        rect class=(class) x=(center - width / 2) y=(top + 5) width=(width) height="24" rx="12" {}
        text class="label" x=(center) y=(top + 21) text-anchor="middle" { (text) }
    }
}

/// The text, cut where it would be longer than so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
