//! Groups of the JSON-Schema-Test-Suite that need what this crate never does, with the reason.

/// Groups of one file that fail for one reason.
pub(crate) struct Expected {
    pub(crate) draft: &'static str,
    pub(crate) file: &'static str,
    pub(crate) groups: &'static [&'static str],
    /// Read by people only.
    _reason: &'static str,
}

const REMOTE: &str = "refers to a document at http://localhost:1234, and nothing is retrieved";
const DIALECT: &str =
    "its $schema is a meta-schema at http://localhost:1234, so the dialect is unknown";

/// The list.
pub(crate) const FAILURES: &[Expected] = &[
    Expected {
        draft: "draft2020-12",
        file: "dynamicRef",
        groups: &[
            "strict-tree schema, guards against misspelled properties",
            "tests for implementation dynamic anchor and reference link",
            "$ref and $dynamicAnchor are independent of order - $defs first",
            "$ref and $dynamicAnchor are independent of order - $ref first",
            "$ref to $dynamicRef finds detached $dynamicAnchor",
        ],
        _reason: REMOTE,
    },
    Expected {
        draft: "draft2020-12",
        file: "refRemote",
        groups: &[
            "remote ref",
            "fragment within remote ref",
            "anchor within remote ref",
            "ref within remote ref",
            "base URI change",
            "base URI change - change folder",
            "base URI change - change folder in subschema",
            "root ref in remote ref",
            "remote ref with ref to defs",
            "Location-independent identifier in remote ref",
            "retrieved nested refs resolve relative to their URI not $id",
            "remote HTTP ref with different $id",
            "remote HTTP ref with different URN $id",
            "remote HTTP ref with nested absolute ref",
            "$ref to $ref finds detached $anchor",
        ],
        _reason: REMOTE,
    },
    Expected {
        draft: "draft2020-12",
        file: "vocabulary",
        groups: &[
            "schema that uses custom metaschema with with no validation vocabulary",
            "ignore unrecognized optional vocabulary",
        ],
        _reason: DIALECT,
    },
    Expected {
        draft: "draft7",
        file: "refRemote",
        groups: &[
            "remote ref",
            "fragment within remote ref",
            "ref within remote ref",
            "base URI change",
            "base URI change - change folder",
            "base URI change - change folder in subschema",
            "root ref in remote ref",
            "remote ref with ref to definitions",
            "Location-independent identifier in remote ref",
            "retrieved nested refs resolve relative to their URI not $id",
            "$ref to $ref finds location-independent $id",
        ],
        _reason: REMOTE,
    },
];
