//! What happens in an exchange: the scripted model's moves and what it expects to be given.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Event, JsonText};

/// One exchange: a user's turn with the model's whole tool loop.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExchangeScript {
    /// What the user says.
    pub user: Option<String>,
    /// The host ended before this exchange: the session is closed, and another one resumes the
    /// conversation with the names that it saved.
    #[serde(default)]
    pub resume: bool,
    /// Events before the exchange begins.
    #[serde(default)]
    pub before: Vec<Event>,
    /// Events while the exchange is beginning and waits for its servers.
    #[serde(default)]
    pub during: Vec<Event>,
    /// What the model must be given, beside what the artifact says.
    pub expect: Option<ExpectExchange>,
    /// The model's moves, in order.
    #[serde(default)]
    pub moves: Vec<Move>,
}

/// What an exchange must give to the model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExpectExchange {
    /// The names of all declared tools, in any order.
    pub tools: Option<Vec<String>>,
    /// How many problems there are.
    pub problems: Option<usize>,
}

/// One move of the scripted model, or an event around it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Move {
    /// The model writes a text.
    Say(String),
    /// The model calls a tool and waits for what comes back.
    Call(ModelCall),
    /// The model calls several tools at once and waits for all.
    Parallel(Vec<ModelCall>),
    /// A call begins; `finish` or `cancel` ends it.
    Start(Start),
    /// Waits for the call of this name.
    Finish(String),
    /// The host gives up the call of this name.
    Cancel(String),
    /// Something happens around the model.
    Event(Event),
}

/// A tool call of the model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelCall {
    /// The exposed name.
    pub tool: String,
    /// The arguments.
    pub arguments: Option<JsonText>,
    /// The arguments as the text that the model wrote, for a text that is not JSON.
    pub text: Option<String>,
    /// What must come back, beside what the artifact says.
    pub expect: Option<ExpectCall>,
}

impl ModelCall {
    /// The text of the arguments; empty where the model gave none.
    pub fn arguments_text(&self) -> &str {
        self.text
            .as_deref()
            .or(self.arguments.as_ref().map(JsonText::as_str))
            .unwrap_or_default()
    }
}

/// A call that goes on while other moves are made.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    /// The name for `finish` and `cancel`.
    pub name: String,
    /// The call.
    pub call: ModelCall,
}

/// What a call must bring back.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExpectCall {
    /// Whether it must be an error.
    pub error: Option<bool>,
    /// A text that must stand in it.
    pub contains: Option<String>,
}
