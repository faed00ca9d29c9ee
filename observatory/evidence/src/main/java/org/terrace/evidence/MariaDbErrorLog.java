package org.terrace.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.EventKinds;

/**
 * The events of the error log of MariaDB or MySQL: deadlocks ({@code innodb_print_all_deadlocks}),
 * refused connections, restarts, and writers of pages that came late. MariaDB dates its lines in
 * whole seconds of its host's zone, so such an event counts as the second it is in. Confined to one
 * thread.
 */
final class MariaDbErrorLog {
  private static final Pattern MARIADB =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d) ([ \\d]\\d:\\d\\d:\\d\\d) \\d{1,20} \\[(Note|Warning|ERROR)\\] (.*)");
  private static final Pattern MYSQL =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(?:Z|[+-]\\d\\d:\\d\\d)) \\d{1,20}"
              + " \\[(System|Note|Warning|ERROR|Error)\\] (.*)");
  private static final Pattern LATE =
      Pattern.compile(".*page_cleaner: \\d{1,9}ms intended loop took (\\d{1,9})ms.*");
  private static final long SECOND = 1_000_000_000L;

  private final ToldEvents events;
  private final LogClock clock;
  private long downSince = Long.MIN_VALUE;
  private boolean inSeconds;
  private long lines;

  MariaDbErrorLog(String node, @Nullable ZoneId zone) {
    events = new ToldEvents(node);
    clock = new LogClock(zone);
  }

  static boolean recognises(String line) {
    return MARIADB.matcher(line).matches() || MYSQL.matcher(line).matches();
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
              + ", this machine's; say --events-zone if the server's is another");
    }
    if (events.events().isEmpty()) {
      notes.add(
          "--events "
              + file
              + ": the log tells of no event; a server tells deadlocks with"
              + " innodb_print_all_deadlocks = ON");
    }
    String summary =
        String.format(
            Locale.ROOT,
            "an error log of MariaDB or MySQL, %,d events in %,d messages, %s",
            events.events().size(),
            lines,
            inSeconds ? clock.words() + ", to the second" : "exact");
    return new Evidence(events.events(), List.of(), summary, notes);
  }

  private void take(String line) {
    Matcher mariadb = MARIADB.matcher(line);
    Matcher mysql = MYSQL.matcher(line);
    if (mariadb.matches()) {
      Long nanos =
          clock.epochNanos(mariadb.group(1) + ' ' + mariadb.group(2).replace(' ', '0'), null);
      if (nanos != null) {
        inSeconds = true;
        lines++;
        tell(nanos, nanos + SECOND, mariadb.group(4));
      }
    } else if (mysql.matches()) {
      Long nanos = nanos(mysql.group(1));
      if (nanos != null) {
        lines++;
        tell(nanos, nanos, mysql.group(3));
      }
    }
  }

  private static @Nullable Long nanos(String date) {
    try {
      return ChronoUnit.NANOS.between(Instant.EPOCH, OffsetDateTime.parse(date).toInstant());
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  /** Tells a message of which the moment lies between two. */
  private void tell(long fromNanos, long toNanos, String text) {
    Matcher late = LATE.matcher(text);
    if (text.contains("Transactions deadlock detected")) {
      events.add(EventKinds.DEADLOCK, fromNanos, toNanos, Map.of());
    } else if (text.contains("Too many connections")) {
      events.add(EventKinds.CONNECTION_LIMIT, fromNanos, toNanos, Map.of());
    } else if (late.matches()) {
      events.ended(
          EventKinds.WRITEBACK,
          fromNanos,
          Double.parseDouble(late.group(1)),
          Map.of("by", "page cleaner"));
    } else if (text.contains("Normal shutdown") || text.contains("got signal ")) {
      downSince = fromNanos;
    } else if (text.contains("ready for connections") && downSince != Long.MIN_VALUE) {
      events.add(EventKinds.DATABASE_DOWN, downSince, toNanos, Map.of());
      downSince = Long.MIN_VALUE;
    }
  }
}
