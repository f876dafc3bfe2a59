#![no_main]

#[path = "../targets/scenario.rs"]
mod target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| target::run(data));
