//! From a schema's text to something that checks instances.

mod cache;
mod checker;
mod foreign;
mod idiom;
mod named;
mod pattern;
mod pipeline;
mod survey;
mod switch_off;
mod tolerate;

pub(crate) use cache::{Compiled, Summary, compiled};
pub(crate) use checker::{Checker, Source};
