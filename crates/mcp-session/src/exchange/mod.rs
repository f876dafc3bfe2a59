//! One exchange: its frozen tools, and the calls that the model makes of them.

mod call;
mod handle;
mod missing;
mod options;
mod output;
mod server_call;
mod words;

pub use handle::Exchange;
pub use options::CallOptions;
pub use output::OutputPolicy;
