//! The committed schemas are those of the types.

use std::{env, fs, path::Path};

use bao_protocol::schema;

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    for ((name, committed), (generated_name, generated)) in schema::FILES.into_iter().zip(schema::all()) {
        assert_eq!(name, generated_name);
        let text = serde_json::to_string_pretty(&generated).expect("a schema is JSON") + "\n";
        if env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(folder.join(format!("{name}.json")), &text).expect("the schema can be written");
        } else {
            assert!(
                text == committed,
                "protocol/schemas/{name}.json differs from the types; run UPDATE_SCHEMAS=1 cargo test -p bao-protocol"
            );
        }
    }
}
