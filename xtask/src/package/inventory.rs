//! The software bill of materials (SBOM) of a program or library.

use serde_json::{Value, json};

use super::components::{Component, Components};

/// A document of CycloneDX 1.6 with all parts and their edges, as JSON with sorted keys.
///
/// It has neither time nor serial number, so that it is the same for the same `Cargo.lock`, platform and toolchain.
pub fn inventory(components: &Components) -> String {
    let Components { own, foreign } = components;
    let all = || own.iter().chain(foreign);
    let first = own.first().map_or(Value::Null, |part| described(part, "application"));
    let parts: Vec<_> = all().skip(1).map(|part| described(part, "library")).collect();
    let edges: Vec<_> =
        all().map(|part| json!({ "ref": part.purl, "dependsOn": part.uses })).collect();
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": first },
        "components": parts,
        "dependencies": edges,
    });
    format!("{document:#}\n")
}

fn described(part: &Component, kind: &str) -> Value {
    let mut value = json!({
        "type": kind,
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "licenses": [{ "expression": part.licence }],
        "purl": part.purl,
    });
    if let Some(source) = &part.source {
        value["externalReferences"] = json!([{ "type": "vcs", "url": source }]);
    }
    value
}
