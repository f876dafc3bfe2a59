//! Where the files are by convention.

use std::path::PathBuf;

use super::layer::Layer;

/// The name of the file in each directory.
const FILE_NAME: &str = "mcp.json";

/// The directory of the runtime, in the user's home and in a project.
const DIRECTORY: &str = ".codework";

/// The conventional places of the files: `<home>/mcp.json` for the user, `<project>/.codework/mcp.json` for a project.
///
/// ```
/// use mcp_config::Locations;
///
/// let locations = Locations::in_user_home("/home/demo").with_project("/srv/demo");
/// let files: Vec<_> = locations.layers().iter().map(|layer| layer.file().display().to_string()).collect();
/// assert_eq!(files, ["/home/demo/.codework/mcp.json", "/srv/demo/.codework/mcp.json"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locations {
    /// The runtime's own directory.
    pub home: PathBuf,
    /// The directory of the user's file, if it is not `home`.
    pub user_config_dir: Option<PathBuf>,
    /// The project's directory, if there is a project.
    pub project: Option<PathBuf>,
}

impl Locations {
    /// The places under the runtime's own directory.
    pub fn new(home: impl Into<PathBuf>) -> Self {
        Locations {
            home: home.into(),
            user_config_dir: None,
            project: None,
        }
    }

    /// The places under `~/.codework`, given the user's home directory.
    pub fn in_user_home(user_home: impl Into<PathBuf>) -> Self {
        Locations::new(user_home.into().join(DIRECTORY))
    }

    /// Adds a project.
    #[must_use]
    pub fn with_project(mut self, project: impl Into<PathBuf>) -> Self {
        self.project = Some(project.into());
        self
    }

    /// The user's file.
    pub fn user_file(&self) -> PathBuf {
        self.user_config_dir
            .as_ref()
            .unwrap_or(&self.home)
            .join(FILE_NAME)
    }

    /// The project's file.
    pub fn project_file(&self) -> Option<PathBuf> {
        Some(self.project.as_ref()?.join(DIRECTORY).join(FILE_NAME))
    }

    /// The layers: user, then project, which is not trusted yet.
    pub fn layers(&self) -> Vec<Layer> {
        let user = Layer::user(self.user_file());
        [Some(user), self.project_file().map(Layer::project)]
            .into_iter()
            .flatten()
            .collect()
    }
}
