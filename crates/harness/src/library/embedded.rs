//! The repository's scenarios and artifacts as the build script embedded them.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
