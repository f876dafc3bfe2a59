//! `mcp-harness doctor`: connects every configured server and says of each how it is, and of what is wrong
//! what to do about it.

mod advice;
mod checkup;
mod text;
mod verdict;
mod wrap;

use std::process::ExitCode;

use mcp_config::load;

use super::args::DoctorArgs;
use super::connect::{Wait, with_session};
use super::exit::CommandError;
use super::host::{Host, print};
use super::output::print_json;
use super::select::Selection;
use super::waiting::Tell;
use checkup::Checkup;
pub(super) use checkup::entry;

pub(super) fn doctor(args: &DoctorArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let selection = Selection::to_examine(&args.look.start, host)?;
    let config = load(&selection.layers);
    let base = selection.base.clone();
    let wait = Wait {
        tell: Tell::Ends,
        limit: args.wait.limit(),
    };
    with_session(selection, host, wait, async |session, exchange| {
        let checkup = Checkup::new(&config, session, exchange, host, &base);
        if args.look.json {
            print_json(&checkup)?;
        } else {
            print(&text::text(&checkup, &config, host))?;
        }
        Ok(ExitCode::from(checkup.exit_code))
    })
}
