//! Integration tests of the referee with real processes.
