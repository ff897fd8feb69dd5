//! Games that are played elsewhere: bundles of pairs that go out, and shards with their records that come home.
//!
//! The record of the event stays the only truth. What is not in it is not played, and goes out again; what comes home is
//! verified before it counts.

pub mod bundle;
pub mod engine;
pub mod shard;
