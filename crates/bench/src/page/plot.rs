//! The plot of the page, as SVG that follows the reader's light or dark colours: calls per second by
//! client, and memory by the number of servers. The seconds are of processor time, since others use
//! the machine too.

use std::fmt::Write as _;

use crate::number::number;
use crate::report::Report;

const WIDTH: f64 = 860.0;
/// Who is drawn, how it is called, and its colour's class. `ours` stands out; bare loops are grey.
const CLIENTS: [(&str, &str); 7] = [
    ("bare", "bare loop"),
    ("ours", "mcp-transport"),
    ("session", "mcp-session"),
    ("rmcp", "rmcp"),
    ("typescript", "TypeScript"),
    ("python", "Python mcp"),
    ("fastmcp", "fastmcp"),
];
const HTTP_CLIENTS: [(&str, &str); 6] = [
    ("reqwest", "bare reqwest"),
    ("ours", "mcp-transport"),
    ("rmcp-pooled", "rmcp, pooled"),
    ("typescript", "TypeScript"),
    ("python", "Python mcp"),
    ("fastmcp", "fastmcp"),
];
const SERVERS: [(f64, &str); 4] = [
    (1.0, "connect-1"),
    (32.0, "connect-32"),
    (100.0, "connect-100"),
    (300.0, "connect-300"),
];
const STYLE: &str = "<style>\
text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:15px}\
.muted{fill:#59636e}.grid{stroke:#d1d9e0}line,path{fill:none;stroke-width:2}.grid{stroke-width:1}\
.bare,.reqwest{--c:#818b98}.ours{--c:#0969da}.session{--c:#54aeff}.rmcp,.rmcp-pooled{--c:#bc4c00}\
.typescript{--c:#1a7f37}.python{--c:#8250df}.fastmcp{--c:#bf3989}\
rect,circle{fill:var(--c)}path,.leader{stroke:var(--c)}.leader{stroke-width:1}\
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.muted{fill:#9198a1}.grid{stroke:#3d444d}\
.ours{--c:#4493f8}.session{--c:#79c0ff}.rmcp,.rmcp-pooled{--c:#f0883e}.typescript{--c:#3fb950}\
.python{--c:#ab7df8}.fastmcp{--c:#db61a2}}\
</style>\n";

/// Draws what the report has of it.
pub(super) fn draw(report: &Report) -> String {
    let mut body = String::new();
    let mut top = bars(
        &mut body,
        24.0,
        "Tool calls over stdio in a second of the client's processor time",
        &speeds(report, "sequential", &CLIENTS),
    );
    top = bars(
        &mut body,
        top + 36.0,
        "Tool calls over HTTP in a second of the client's processor time",
        &speeds(report, "http-sequential", &HTTP_CLIENTS),
    );
    let height = lines(&mut body, top + 36.0, &memory(report));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         role=\"img\" aria-label=\"Calls a second by client, and resident memory by number of \
         servers\">\n{STYLE}{body}</svg>\n"
    )
}

/// One client's value.
struct Bar {
    class: &'static str,
    name: &'static str,
    value: f64,
}

fn speeds(report: &Report, suite: &str, clients: &[(&'static str, &'static str)]) -> Vec<Bar> {
    let suite = report.suite(suite);
    let value = |row| Some(1e6 / suite?.figure(row, "cpu_us")?.spread.median);
    clients
        .iter()
        .filter_map(|(class, name)| {
            Some(Bar {
                class,
                name,
                value: value(class)?,
            })
        })
        .collect()
}

/// Draws horizontal bars below a title; the outcome is where they end. Writing to a string cannot
/// fail.
fn bars(out: &mut String, top: f64, title: &str, bars: &[Bar]) -> f64 {
    const LEFT: f64 = 130.0;
    const ROOM: f64 = WIDTH - LEFT - 80.0;
    const STEP: f64 = 26.0;
    let _ = writeln!(
        out,
        "<text class=\"title\" x=\"16\" y=\"{top}\">{title}</text>"
    );
    let highest = bars.iter().map(|bar| bar.value).fold(1.0, f64::max);
    let mut y = top + 14.0;
    for Bar { class, name, value } in bars {
        let width = (value / highest * ROOM).max(1.0);
        let (label, middle) = (number(*value), y + 14.0);
        let _ = writeln!(
            out,
            "<g class=\"{class}\"><text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"18\" rx=\"2\"/>\
             <text class=\"muted\" x=\"{:.1}\" y=\"{middle}\">{label}</text></g>",
            LEFT - 8.0,
            LEFT + width + 6.0,
        );
        y += STEP;
    }
    y
}

/// One client's points: servers and resident MB.
struct Line {
    class: &'static str,
    name: &'static str,
    points: Vec<(f64, f64)>,
}

fn memory(report: &Report) -> Vec<Line> {
    let value = |suite, row| {
        let figure = report.suite(suite)?.figure(row, "rss_mb")?;
        Some(figure.spread.median)
    };
    let lines = CLIENTS.iter().map(|(class, name)| Line {
        class,
        name,
        points: SERVERS
            .iter()
            .filter_map(|(servers, suite)| Some((*servers, value(suite, class)?)))
            .collect(),
    });
    lines.filter(|line| !line.points.is_empty()).collect()
}

/// Draws a line for each client; the outcome is the height of the whole plot.
fn lines(out: &mut String, top: f64, lines: &[Line]) -> f64 {
    const LEFT: f64 = 56.0;
    const RIGHT: f64 = WIDTH - 170.0;
    const HEIGHT: f64 = 300.0;
    const MOST: f64 = 300.0;
    let end = top + 20.0 + HEIGHT;
    let points = lines.iter().flat_map(|line| &line.points);
    let highest = points.map(|(_, value)| *value).fold(1.0, f64::max);
    let x = |servers: f64| LEFT + servers / MOST * (RIGHT - LEFT);
    let scale = (highest / 20.0).ceil() * 20.0;
    let y = |value: f64| end - value / scale * HEIGHT;
    let _ = writeln!(
        out,
        "<text class=\"title\" x=\"16\" y=\"{top}\">Resident MB of the client by number of \
         connected stdio servers</text>"
    );
    for step in 0..=4 {
        let value = scale / 4.0 * f64::from(step);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\
             <text class=\"muted\" x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{value:.0}</text>",
            y(value),
            LEFT - 8.0,
            y(value) + 4.0,
        );
    }
    for (servers, _) in SERVERS {
        let _ = writeln!(
            out,
            "<text class=\"muted\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{servers}</text>",
            x(servers),
            end + 20.0,
        );
    }
    let mut sorted: Vec<&Line> = lines.iter().collect();
    let last = |line: &Line| line.points.last().map_or(0.0, |(_, value)| *value);
    sorted.sort_by(|one, other| last(one).total_cmp(&last(other)));
    // From the lowest up, each name far enough above the one before.
    let mut free = f64::INFINITY;
    for line in sorted {
        let place = y(last(line)).min(free - 17.0);
        free = place;
        draw_line(out, line, place, &x, &y);
    }
    end + 36.0
}

/// The line, its points, and its name at its end.
fn draw_line(
    out: &mut String,
    line: &Line,
    place: f64,
    x: &impl Fn(f64) -> f64,
    y: &impl Fn(f64) -> f64,
) {
    let Line {
        class,
        name,
        points,
    } = line;
    let mut path = String::new();
    let mut dots = String::new();
    for (index, (servers, value)) in points.iter().enumerate() {
        let (x, y, step) = (x(*servers), y(*value), if index == 0 { 'M' } else { 'L' });
        let _ = write!(path, "{step}{x:.1} {y:.1}");
        let _ = write!(dots, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
    }
    let Some((servers, value)) = points.last() else {
        return;
    };
    let (from, to) = (x(*servers) + 5.0, x(*servers) + 18.0);
    let _ = writeln!(
        out,
        "<g class=\"{class}\"><path d=\"{path}\"/>{dots}\
         <line class=\"leader\" x1=\"{from:.1}\" y1=\"{:.1}\" x2=\"{to:.1}\" y2=\"{place:.1}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\">{name} {}</text></g>",
        y(*value),
        to + 4.0,
        place + 4.0,
        number(*value),
    );
}
