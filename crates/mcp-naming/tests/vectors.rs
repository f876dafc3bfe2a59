//! The published vectors hold.

use mcp_naming::NameTable;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    about: String,
    batches: Vec<Vec<(String, String, Option<String>)>>,
}

#[test]
fn each_published_vector_holds() {
    let text = include_str!("../vectors.json");
    let Vectors { vectors } = serde_json::from_str(text).expect("vectors.json is well-formed");
    assert!(!vectors.is_empty());
    for Vector { about, batches } in vectors {
        let mut table = NameTable::new();
        for batch in batches {
            let outcomes = table.assign(batch.iter().map(|(server, tool, _)| (&**server, &**tool)));
            for ((server, tool, expected), outcome) in batch.iter().zip(outcomes) {
                let name = outcome.ok().map(|name| name.to_string());
                assert_eq!(&name, expected, "{about}: {server:?}, {tool:?}");
            }
        }
    }
}
