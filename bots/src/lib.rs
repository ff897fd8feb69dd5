//! Sample bots for Bao Kigogo and Bao Kingulu.
