//! An agent's loop: the model sees the tools, asks for calls, reads the results, answers. The model
//! here is scripted, so that the example runs without one: `cargo run -p mcp-session --example
//! agent`.

use mcp_config::{Environment, Layer};
use mcp_session::{Session, ToolDefinition};

/// What a model says next.
enum Move {
    Call { tool: String, arguments: String },
    Say(String),
}

/// A provider's client would send the tools and the history; this one follows its script.
fn model(tools: &[ToolDefinition], history: &[String]) -> Move {
    match (tools.first(), history.len()) {
        (Some(tool), 1) => Move::Call {
            tool: tool.name().to_owned(),
            // A model that fills in `null` for what it leaves out is understood.
            arguments: r#"{"zone": null}"#.to_owned(),
        },
        _ => Move::Say(format!("The tool says: {}", history[history.len() - 1])),
    }
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "an example talks")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/agent");
    let session = Session::builder()
        .layers([Layer::user(format!("{folder}/mcp.json"))])
        .base(folder)
        .environment(std::env::vars_os().collect::<Environment>())
        .build();

    for question in ["What time is it?", "And now?"] {
        let exchange = session.begin_exchange().await?;
        for problem in exchange.problems() {
            println!("{problem}");
        }
        let mut history = vec![question.to_owned()];
        loop {
            match model(exchange.tools(), &history) {
                Move::Call { tool, arguments } => {
                    let result = exchange.call(&tool, &arguments).await;
                    history.push(result.text());
                }
                Move::Say(text) => {
                    println!("{question} {text}");
                    break;
                }
            }
        }
    }

    print!("{}", mcp_session::render(&session.status()));
    session.close().await;
    Ok(())
}
