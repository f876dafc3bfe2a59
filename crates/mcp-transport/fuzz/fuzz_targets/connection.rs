#![no_main]

#[path = "../targets/mod.rs"]
#[expect(dead_code, reason = "each target is a program of its own")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::connection::run(data));
