//! The rules core of Bao Kigogo and Bao Kingulu.
