//! A connection to a server that is a process of ours: its pipes, its standard error, its end.
//! Processes themselves are in `process`; what is said over the pipes is not known here.

mod connect;
mod stderr;
mod supervise;
mod tail;
