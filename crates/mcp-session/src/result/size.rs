//! Sizes as a person and a model read them.

/// `4 bytes`, `12.5 KiB`, `80.0 MiB`.
pub(super) fn size(bytes: usize) -> String {
    const KIB: usize = 1024;
    const MIB: usize = KIB * KIB;
    match bytes {
        1 => "1 byte".to_owned(),
        0..KIB => format!("{bytes} bytes"),
        KIB..MIB => tenths(bytes, KIB, "KiB"),
        _ => tenths(bytes, MIB, "MiB"),
    }
}

fn tenths(bytes: usize, unit: usize, name: &str) -> String {
    format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit)
}
