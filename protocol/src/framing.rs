//! Bytes into lines, with a bound.
//!
//! A [`LineBuffer`] takes the bytes of a pipe and returns whole lines. It never holds more than one line's limit
//! and what the last read brought: a bot that writes without end costs no memory.

/// The least room that a read is offered, in bytes.
const READ_ROOM: usize = 4096;

/// One line, or the news that a line is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A whole line, without its newline and without a carriage return before it.
    Line(&'a [u8]),
    /// More bytes without a newline than a line may have; the bytes are the line's beginning.
    TooLong(&'a [u8]),
}

/// Collects bytes and returns lines.
///
/// After a [`Frame::TooLong`] the stream can no longer be trusted; the buffer continues with the bytes that follow.
#[derive(Debug)]
pub struct LineBuffer {
    // Invariant: start <= scanned <= end <= bytes.len(); no newline in bytes[start..scanned].
    bytes: Vec<u8>,
    start: usize,
    scanned: usize,
    end: usize,
    limit: usize,
}

impl LineBuffer {
    /// Makes an empty buffer for lines of up to `limit` bytes, newline not counted.
    pub fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, scanned: 0, end: 0, limit }
    }

    /// Returns room to read into, at least a few kilobytes; call [`filled`](Self::filled) with what came.
    pub fn room(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
        }
        if self.bytes.len() - self.end < READ_ROOM {
            if self.start > 0 {
                self.bytes.copy_within(self.start..self.end, 0);
                (self.scanned, self.end) = (self.scanned - self.start, self.end - self.start);
                self.start = 0;
            }
            if self.bytes.len() - self.end < READ_ROOM {
                self.bytes.resize(self.end + 2 * READ_ROOM, 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    /// Records that `count` bytes were read into the room.
    pub fn filled(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
    }

    /// Returns the next line, if there is a whole line (or one that is too long).
    pub fn next_frame(&mut self) -> Option<Frame<'_>> {
        let fresh = &self.bytes[self.scanned..self.end];
        match fresh.iter().position(|&byte| byte == b'\n') {
            Some(at) => {
                let (start, newline) = (self.start, self.scanned + at);
                (self.start, self.scanned) = (newline + 1, newline + 1);
                let line = &self.bytes[start..newline];
                if line.len() > self.limit {
                    return Some(Frame::TooLong(&line[..self.limit]));
                }
                Some(Frame::Line(line.strip_suffix(b"\r").unwrap_or(line)))
            }
            None if self.end - self.start > self.limit => {
                let start = self.start;
                (self.start, self.scanned) = (self.end, self.end);
                Some(Frame::TooLong(&self.bytes[start..start + self.limit]))
            }
            None => {
                self.scanned = self.end;
                None
            }
        }
    }

    /// Returns the bytes that came after the last newline: half a line, or nothing.
    pub fn partial(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(buffer: &mut LineBuffer, mut bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        while !bytes.is_empty() {
            let room = buffer.room();
            let count = room.len().min(bytes.len());
            room[..count].copy_from_slice(&bytes[..count]);
            buffer.filled(count);
            bytes = &bytes[count..];
            while let Some(frame) = buffer.next_frame() {
                lines.push(match frame {
                    Frame::Line(line) => String::from_utf8_lossy(line).into_owned(),
                    Frame::TooLong(line) => format!("too long after {}", line.len()),
                });
            }
        }
        lines
    }

    #[test]
    fn lines_come_out_whole_however_the_bytes_were_cut() {
        let text = b"{\"a\":1}\n\r\nhalf and\nrest";
        for cut in 0..text.len() {
            let mut buffer = LineBuffer::new(100);
            let mut lines = feed(&mut buffer, &text[..cut]);
            lines.extend(feed(&mut buffer, &text[cut..]));
            assert_eq!(lines, ["{\"a\":1}", "", "half and"]);
            assert_eq!(buffer.partial(), b"rest");
        }
    }

    #[test]
    fn a_line_of_just_the_limit_passes_and_one_more_byte_does_not() {
        let mut buffer = LineBuffer::new(5);
        assert_eq!(feed(&mut buffer, b"12345\n123456\nok\n"), ["12345", "too long after 5", "ok"]);
    }

    #[test]
    fn an_endless_line_costs_no_memory() {
        let mut buffer = LineBuffer::new(65_536);
        let block = [b'0'; 10_000];
        for _ in 0..1000 {
            feed(&mut buffer, &block);
        }
        assert!(buffer.bytes.len() < 2 * 65_536, "{} bytes are held", buffer.bytes.len());
    }
}
