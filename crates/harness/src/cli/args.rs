//! What may stand on the command line.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use super::report_file::ReportFile;
use crate::trial::Partition;

const EXAMPLES: &str = "\
Examples:
  mcp-harness run                                   verify every scenario
  mcp-harness run mcp.session                       only those with this in their name
  mcp-harness run mcp.session/plain-call --exact --accept
                                                    take what happened as right
  mcp-harness run --report html=report.html         with a page to read
  mcp-harness review                                decide about each difference
  mcp-harness doctor                                is every server of yours well, and what to do if not
  mcp-harness tools --config mcp.json               what a model would be given
  mcp-harness tools --explain mcp__time__convert    all about one tool
  mcp-harness call mcp__time__get_current_time '{\"timezone\":\"UTC\"}' --config mcp.json
  mcp-harness config check                          problems of your own files

Exit codes:
  0    everything is as it should be
  1    it worked, and something is not right: a scenario failed, a server did not start,
       a tool answered with an error, a configuration file has errors
  2    the command line is wrong, or the command refused (an untrusted project, an unknown tool)
  3, 4, 5   of `doctor`, instead of 1: a configuration file has errors; a variable or a
       credential is missing; servers of a project wait for approval
  129, 130, 143   ended by SIGHUP, SIGINT, SIGTERM";

/// Scenarios, golden artifacts and real MCP servers, through the whole host runtime.
#[derive(Debug, Parser)]
#[command(name = "mcp-harness", bin_name = "mcp-harness", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Plays scenarios and compares what happens with the accepted artifacts.
    Run(RunArgs),
    /// Plays scenarios and asks about each artifact that differs or is missing: accept it or not.
    Review(ReviewArgs),
    /// Connects every server of an `mcp.json`, and says how it is and what to do about what is wrong.
    Doctor(DoctorArgs),
    /// Connects the servers of an `mcp.json` and prints what a model would be given.
    Tools(ToolsArgs),
    /// Runs one tool of a configured server.
    Call(CallArgs),
    /// Looks at configuration files without starting anything.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Plays a behaviour script as an MCP server; scenarios start it.
    #[command(name = "fixture-server", hide = true)]
    FixtureServer,
}

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Prints every problem of the files.
    Check(ConfigArgs),
    /// Prints every value with its origin and what it shadowed.
    Explain(ConfigArgs),
}

#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(super) struct RunArgs {
    /// Part of the names of the scenarios to run
    pub(super) filter: Option<String>,
    /// The filter is the whole name
    #[arg(long, requires = "filter")]
    pub(super) exact: bool,
    /// Writes what happened as the accepted artifacts
    #[arg(long)]
    pub(super) accept: bool,
    /// Prints the names and runs nothing
    #[arg(long)]
    pub(super) list: bool,
    /// Runs only the Kth of N parts, counted from 1; a scenario's part follows from its name
    #[arg(long, value_name = "K/N")]
    pub(super) partition: Option<Partition>,
    /// Writes a report, too: html=FILE (one page to read) or junit=FILE (for CI); may be given twice
    #[arg(long = "report", value_name = "KIND=FILE")]
    pub(super) reports: Vec<ReportFile>,
    /// How many scenarios run side by side [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = counted::<NonZeroUsize>)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Plays each scenario N times; all playings must be equal
    #[arg(long, value_name = "N", default_value = "1", value_parser = counted::<NonZeroUsize>)]
    pub(super) repeat: NonZeroUsize,
    /// Also plays the scenarios that need the outside
    #[arg(long)]
    pub(super) live: bool,
    #[command(flatten)]
    pub(super) library: LibraryArgs,
}

#[derive(Debug, Args)]
pub(super) struct ReviewArgs {
    /// Part of the names of the scenarios to review
    pub(super) filter: Option<String>,
    /// The filter is the whole name
    #[arg(long, requires = "filter")]
    pub(super) exact: bool,
    /// How many scenarios run side by side [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = counted::<NonZeroUsize>)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Also plays the scenarios that need the outside
    #[arg(long)]
    pub(super) live: bool,
    #[command(flatten)]
    pub(super) library: LibraryArgs,
}

/// Which scenarios and artifacts.
#[derive(Debug, Args)]
pub(super) struct LibraryArgs {
    /// The folder of your own scenarios, with a folder a suite
    #[arg(long, value_name = "DIR", requires = "artifacts")]
    pub(super) scenarios: Option<PathBuf>,
    /// The folder of your own artifacts
    #[arg(long, value_name = "DIR", requires = "scenarios")]
    pub(super) artifacts: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    pub(super) look: LookArgs,
    #[command(flatten)]
    pub(super) wait: WaitArgs,
}

/// How long servers are waited for.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct WaitArgs {
    /// The longest that a server's handshake may take, and its list of tools again
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = counted::<NonZeroU64>)]
    timeout: NonZeroU64,
}

impl WaitArgs {
    pub(super) fn limit(self) -> Duration {
        Duration::from_secs(self.timeout.get())
    }
}

#[derive(Debug, Args)]
pub(super) struct ToolsArgs {
    /// Prints all that is known of one tool: by the name that the model sees, by its raw name, or by SERVER/RAW
    #[arg(long, value_name = "NAME")]
    pub(super) explain: Option<String>,
    #[command(flatten)]
    pub(super) look: LookArgs,
    #[command(flatten)]
    pub(super) wait: WaitArgs,
}

#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    #[command(flatten)]
    pub(super) select: SelectArgs,
    /// Reads the project's entries as they are where its file is trusted; nothing is started
    #[arg(long)]
    pub(super) trust_project: bool,
    /// Prints JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct LookArgs {
    #[command(flatten)]
    pub(super) start: StartArgs,
    /// Prints JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CallArgs {
    /// The tool: by the name that the model sees, by its raw name, or by SERVER/RAW
    pub(super) name: String,
    /// Its arguments, a JSON object [default: none]
    #[arg(value_name = "JSON", default_value = "", hide_default_value = true)]
    pub(super) arguments: String,
    #[command(flatten)]
    pub(super) start: StartArgs,
    #[command(flatten)]
    pub(super) wait: WaitArgs,
    /// Prints JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Which configuration files to read.
#[derive(Debug, Args)]
pub(super) struct SelectArgs {
    /// Reads this one file, as trusted, and no other
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user_config_dir", "project"])]
    pub(super) config: Option<PathBuf>,
    /// The runtime's own folder, with mcp.log [default: ~/.codework]
    #[arg(long, value_name = "DIR")]
    pub(super) home: Option<PathBuf>,
    /// The folder of the user's mcp.json [default: the one of --home]
    #[arg(long, value_name = "DIR")]
    pub(super) user_config_dir: Option<PathBuf>,
    /// The project, whose .codework/mcp.json is read after the user's [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(super) project: Option<PathBuf>,
}

/// Which configuration files to read, for starting what they say.
#[derive(Debug, Args)]
pub(super) struct StartArgs {
    #[command(flatten)]
    pub(super) select: SelectArgs,
    /// Lets the project's file start servers; read it first, it can run any command
    #[arg(long)]
    pub(super) trust_project: bool,
}

/// A number of things, of which there must be at least one.
fn counted<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| "give a whole number, 1 or more".to_owned())
}
