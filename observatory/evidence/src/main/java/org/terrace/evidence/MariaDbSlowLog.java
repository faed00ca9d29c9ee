package org.terrace.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
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
 * The statements of the slow query log of MariaDB or MySQL, and the part of each that it waited for
 * locks. MariaDB tells the second in which a statement ended ({@code SET timestamp}, in UTC), so
 * its statements are known to half a second; MySQL tells the microsecond. Confined to one thread.
 */
final class MariaDbSlowLog {
  private static final Pattern EXACT =
      Pattern.compile("# Time: (\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,18}(?:Z|[+-]\\d\\d:\\d\\d)).*");
  private static final Pattern THREAD =
      Pattern.compile("# (?:Thread_id: |User@Host: .* Id: +)(\\d{1,18}).*");
  private static final String SECONDS = "(\\d{1,9}(?:\\.\\d{1,9})?)";
  private static final Pattern TIMES =
      Pattern.compile("# Query_time: " + SECONDS + " +Lock_time: " + SECONDS + ".*");
  private static final Pattern ROW_LOCKS =
      Pattern.compile("#.* InnoDB_rec_lock_wait: " + SECONDS + ".*");
  private static final Pattern TIMESTAMP =
      Pattern.compile("SET timestamp=(\\d{9,10})(?:\\.\\d{1,6})?;");
  private static final Pattern START = Pattern.compile("# (?:Time: |User@Host: |Query_time: ).*");

  /** The shortest wait for locks that is an event of its own. */
  private static final double SHORTEST_WAIT_SECONDS = 0.001;

  private static final double HALF_SECOND = 0.5;

  private final ToldEvents events;
  private @Nullable Long exactEnd;
  private String thread = "";
  private double querySeconds = -1;
  private double lockSeconds;
  private boolean inSeconds;
  private long lines;

  MariaDbSlowLog(String node) {
    events = new ToldEvents(node);
  }

  static boolean recognises(String line) {
    return START.matcher(line).matches();
  }

  Evidence read(Path file) throws IOException {
    try (TextLines text = TextLines.open(file)) {
      for (String line = text.next(); line != null; line = text.next()) {
        take(line);
      }
    }
    List<String> notes = new ArrayList<>(events.notes(file.toString()));
    if (inSeconds) {
      notes.add(
          "--events "
              + file
              + ": MariaDB tells only the second in which a statement ended: its times are known to"
              + " half a second");
    }
    String summary =
        String.format(
            Locale.ROOT,
            "a slow query log of MariaDB or MySQL, %,d statements, times in UTC",
            lines);
    return new Evidence(events.events(), List.of(), summary, notes);
  }

  private void take(String line) {
    if (!line.startsWith("#")) {
      Matcher timestamp = TIMESTAMP.matcher(line);
      if (querySeconds >= 0 && timestamp.matches()) {
        tell(Long.parseLong(timestamp.group(1)));
      }
      return;
    }
    Matcher exact = EXACT.matcher(line);
    Matcher of = THREAD.matcher(line);
    Matcher times = TIMES.matcher(line);
    Matcher rows = ROW_LOCKS.matcher(line);
    if (exact.matches()) {
      exactEnd = nanos(exact.group(1));
    } else if (of.matches()) {
      thread = of.group(1);
    } else if (times.matches()) {
      querySeconds = Double.parseDouble(times.group(1));
      lockSeconds = Double.parseDouble(times.group(2));
    } else if (rows.matches()) {
      lockSeconds += Double.parseDouble(rows.group(1));
    }
  }

  private static @Nullable Long nanos(String date) {
    try {
      return ChronoUnit.NANOS.between(Instant.EPOCH, OffsetDateTime.parse(date).toInstant());
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  /** Tells the statement whose lines were read, once its timestamp in whole seconds is. */
  private void tell(long timestampSeconds) {
    Map<String, String> attributes = new HashMap<>();
    if (!thread.isEmpty()) {
      attributes.put("thread", thread);
    }
    Long exact = exactEnd;
    if (exact == null) {
      inSeconds = true;
      attributes.put("within", HALF_SECOND + " s");
    }
    long end = exact == null ? timestampSeconds * 1_000_000_000L + 500_000_000L : exact;
    events.ended(EventKinds.SLOW_STATEMENT, end, querySeconds * 1e3, attributes);
    if (lockSeconds >= SHORTEST_WAIT_SECONDS) {
      // A statement takes its locks before it works.
      long start = end - Math.round(querySeconds * 1e9);
      long waited = Math.round(Math.min(lockSeconds, querySeconds) * 1e9);
      events.add(EventKinds.LOCK_WAIT, start, start + waited, attributes);
    }
    lines++;
    querySeconds = -1;
    thread = "";
  }
}
