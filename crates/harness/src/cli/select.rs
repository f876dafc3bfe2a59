//! Which configuration files a command reads, and whether a project may start servers.

use std::path::{Path, PathBuf};

use mcp_config::{Layer, Locations, PendingEntry, Trust};

use super::approve::{Approvals, can_ask};
use super::args::{SelectArgs, StartArgs};
use super::exit::CommandError;
use super::host::Host;

/// The files that were chosen.
pub(super) struct Selection {
    pub(super) layers: Vec<Layer>,
    /// The runtime's own folder, with the server log; nothing where it is not named and there is no HOME.
    pub(super) home: Option<PathBuf>,
    pub(super) base: PathBuf,
}

impl Selection {
    /// The layers, for looking at them.
    pub(super) fn new(
        args: &SelectArgs,
        trust_project: bool,
        host: &Host,
    ) -> Result<Selection, CommandError> {
        let named = args.home.as_ref().map(|home| host.directory.join(home));
        let home = named.or_else(|| Some(host.home_folder()?.join(".codework")));
        if let Some(file) = &args.config {
            let layer = Layer::user(host.directory.join(file)).required();
            return Ok(Selection {
                layers: vec![layer],
                home,
                base: host.directory.clone(),
            });
        }
        let base = args.project.as_ref().map_or_else(
            || host.directory.clone(),
            |project| host.directory.join(project),
        );
        folder("--project", &base)?;
        let named = args.user_config_dir.as_ref();
        let users = named.map(|folder| host.directory.join(folder));
        let users = users.or_else(|| home.clone()).ok_or_else(|| {
            CommandError::usage(
                "HOME is not set, so there is no ~/.codework: name a folder with --home DIR, or one file with --config",
            )
        })?;
        let locations = Locations::new(users).with_project(&base);
        let trust = if trust_project {
            Trust::Trusted
        } else {
            Trust::Untrusted
        };
        let layers = locations
            .layers()
            .into_iter()
            .map(|layer| {
                if layer.name() == "project" {
                    layer.with_trust(trust)
                } else {
                    layer
                }
            })
            .collect();
        Ok(Selection { layers, home, base })
    }

    /// The layers, for starting what they say. A project's file came with the project and can run any
    /// command: its entries are refused unless the file is trusted, or each of them was approved.
    pub(super) fn to_start(args: &StartArgs, host: &Host) -> Result<Selection, CommandError> {
        let selection = Selection::to_examine(args, host)?;
        let config = mcp_config::load(&selection.layers);
        let Some(first) = config.pending().first() else {
            return Ok(selection);
        };
        let names: Vec<&str> = config.pending().iter().map(PendingEntry::name).collect();
        let file = first
            .origin()
            .file()
            .map_or_else(String::new, |file| file.display().to_string());
        Err(CommandError::usage(format!(
            "refused: {file} comes with the project and can run any command on this machine ({}); read it, then \
             pass --trust-project, or run this on a terminal to be asked about each entry",
            names.join(", ")
        )))
    }

    /// The layers, for starting what is trusted or approved; a person is asked about the rest, which stays
    /// pending if the answer is no.
    pub(super) fn to_examine(args: &StartArgs, host: &Host) -> Result<Selection, CommandError> {
        let mut selection = Selection::new(&args.select, args.trust_project, host)?;
        // Without a home nothing was remembered and nothing can be, so nobody is asked.
        let Some(home) = &selection.home else {
            return Ok(selection);
        };
        let mut approvals = Approvals::of(home);
        selection.approve(&approvals);
        let config = mcp_config::load(&selection.layers);
        let pending = config.pending();
        if !pending.is_empty() && can_ask() && approvals.ask(pending)? {
            selection.approve(&approvals);
        }
        Ok(selection)
    }

    fn approve(&mut self, approvals: &Approvals) {
        let layers = std::mem::take(&mut self.layers);
        self.layers = layers
            .into_iter()
            .map(|layer| layer.approve(approvals.known()))
            .collect();
    }
}

fn folder(option: &str, path: &Path) -> Result<(), CommandError> {
    if path.is_dir() {
        return Ok(());
    }
    Err(CommandError::usage(format!(
        "{option} {}: there is no such folder",
        path.display()
    )))
}
