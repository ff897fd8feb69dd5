//! What the referee and its bots share: messages, framing and record formats.
