package org.terrace.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.EventKinds;

/**
 * The rows of MariaDB's table of slow statements, as its file {@code mysql/slow_log.CSV} holds
 * them: the start of each to the microsecond, its duration, and the part of it that it waited for
 * locks. Rows are in the order in which statements ended, and their dates in the time zone of the
 * session that ran them. Confined to one thread.
 */
final class MariaDbSlowTable {
  private static final String TIME = "\"(\\d{2,3}):(\\d\\d):(\\d\\d(?:\\.\\d{1,6})?)\"";
  private static final String TEXT = "\"(?:[^\"\\\\]|\\\\.){0,1000}+\"";
  private static final Pattern ROW =
      Pattern.compile(
          "\"(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?)\","
              + TEXT
              + ","
              + TIME
              + ","
              + TIME
              + ",\\d{1,20},\\d{1,20},.*");

  /**
   * The end of a row: its text, its thread, and the rows that it changed, which MySQL tells not.
   */
  private static final Pattern END = Pattern.compile(".*\",(\\d{1,20}),\\d{1,20}");

  /** The shortest wait for locks that is an event of its own. */
  private static final double SHORTEST_WAIT_SECONDS = 0.001;

  /**
   * The most by which a row may end before an earlier one, as when a clock is corrected. The
   * offsets of two time zones differ by more.
   */
  private static final long BACKWARDS_NANOS = 300_000_000_000L;

  private final ToldEvents events;
  private final LogClock clock;
  private long latestEndNanos = Long.MIN_VALUE;
  private long rows;

  MariaDbSlowTable(String node, @Nullable ZoneId zone) {
    events = new ToldEvents(node);
    clock = new LogClock(zone);
  }

  static boolean recognises(String line) {
    return ROW.matcher(line).matches()
        && (line.length() >= TextLines.LONGEST_LINE || END.matcher(line).matches());
  }

  Evidence read(Path file) throws IOException {
    try (TextLines text = TextLines.open(file)) {
      for (String line = text.next(); line != null; line = text.next()) {
        take(line);
      }
    }
    List<String> notes = new ArrayList<>(events.notes(file.toString()));
    if (clock.isAssumed()) {
      notes.add(
          "--events "
              + file
              + ": its dates carry no zone and were read as "
              + clock.words().replace("times in ", "")
              + ", this machine's; say --events-zone if that of the server's sessions is another");
    }
    String summary =
        String.format(
            Locale.ROOT, "MariaDB's table of slow statements, %,d rows, %s", rows, clock.words());
    return new Evidence(events.events(), List.of(), summary, notes);
  }

  private void take(String line) {
    Matcher row = ROW.matcher(line);
    if (!row.matches()) {
      return;
    }
    Long start = clock.epochNanos(row.group(1), null);
    if (start == null) {
      return;
    }
    double querySeconds = seconds(row, 2);
    double lockSeconds = Math.min(seconds(row, 5), querySeconds);
    long end = start + Math.round(querySeconds * 1e9);
    requireOneZone(end, row.group(1));
    Map<String, String> attributes = new HashMap<>();
    Matcher last = END.matcher(line);
    if (last.matches()) {
      attributes.put("thread", last.group(1));
    }
    events.add(EventKinds.SLOW_STATEMENT, start, end, attributes);
    if (lockSeconds >= SHORTEST_WAIT_SECONDS) {
      // A statement takes its locks before it works.
      events.add(EventKinds.LOCK_WAIT, start, start + Math.round(lockSeconds * 1e9), attributes);
    }
    rows++;
  }

  private void requireOneZone(long endNanos, String date) {
    if (latestEndNanos != Long.MIN_VALUE && endNanos < latestEndNanos - BACKWARDS_NANOS) {
      throw new DateTimeException(
          "the statement of "
              + date
              + " stands behind ones that ended later: MariaDB writes the time of each session's"
              + " own zone, and these differ, or an hour came twice as in autumn; take the slow log"
              + " as a file, or set time_zone to one without such hours for all");
    }
    latestEndNanos = Math.max(latestEndNanos, endNanos);
  }

  private static double seconds(Matcher row, int group) {
    return Integer.parseInt(row.group(group)) * 3_600.0
        + Integer.parseInt(row.group(group + 1)) * 60.0
        + Double.parseDouble(row.group(group + 2));
  }
}
