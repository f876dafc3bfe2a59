//! How one schema object leads to another.

use super::graph::NodeId;

/// A keyword's way from a schema object to a subschema.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) via: Via,
    pub(crate) to: NodeId,
}

/// The keyword that makes a subschema apply, with what it applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    Reference,
    AllOf,
    AnyOf,
    OneOf,
    Not,
    If,
    Then,
    Else,
    /// Applies where the object has the member.
    Dependent(Box<str>),
    Property(Box<str>),
    Pattern(Box<str>),
    AdditionalProperties,
    /// The item at this index.
    Prefix(usize),
    /// Every item from this index on.
    Items(usize),
    Contains,
    UnevaluatedProperties,
    UnevaluatedItems,
    PropertyNames,
    /// Applies nowhere by itself: a definition.
    Definition,
}

/// Where an edge's subschema applies, seen from the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// To the same value.
    Here,
    /// To a member or an item of it.
    Below,
    Nowhere,
}

impl Via {
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Reference
            | Self::AllOf
            | Self::AnyOf
            | Self::OneOf
            | Self::Not
            | Self::If
            | Self::Then
            | Self::Else
            | Self::Dependent(_) => Place::Here,
            Self::Definition => Place::Nowhere,
            _ => Place::Below,
        }
    }
}
