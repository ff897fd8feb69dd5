//! The log of the program on standard error.

use std::fmt;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::screen::LogLine;

/// Starts the log: warnings and errors as sentences, or, if `REFEREE_LOG` asks for more, lines with time and place.
pub(super) fn start() {
    let lines = tracing_subscriber::fmt().with_writer(|| LogLine).with_ansi(false);
    match EnvFilter::try_from_env("REFEREE_LOG") {
        Ok(filter) => lines.with_env_filter(filter).init(),
        Err(_) => lines.with_env_filter(EnvFilter::new("warn")).event_format(Sentence).init(),
    }
}

/// Writes an event like the program's other messages: `warning: ...`.
#[derive(Debug)]
struct Sentence;

impl<S, N> FormatEvent<S, N> for Sentence
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let level = event.metadata().level();
        writer.write_str(if *level == Level::ERROR { "error: " } else { "warning: " })?;
        context.format_fields(writer.by_ref(), event)?;
        writer.write_str("\n")
    }
}
