//! Leaves out the nulls that a model gave for "not given": those of declared, optional members
//! whose schema does not accept null, at every depth. What is valid as it stands is not touched.

mod applicable;
mod branches;
mod clean;

pub(crate) use clean::droppable;
