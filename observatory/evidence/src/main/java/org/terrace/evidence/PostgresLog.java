package org.terrace.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.EventKinds;

/**
 * The events of a PostgreSQL log in the form of {@code log_destination = stderr}: checkpoints and
 * their last, flushing part, waits for locks ({@code log_lock_waits}), deadlocks, automatic vacuums
 * ({@code log_autovacuum_min_duration}), slow statements ({@code log_min_duration_statement}),
 * refused connections and restarts.
 *
 * <p>The prefix of each line may be any that begins with {@code %m}, {@code %t} or {@code %n}, as
 * PostgreSQL's own {@code '%m [%p] '}, Debian's and the clouds' do. Lines that begin otherwise
 * belong to the one before. Confined to one thread.
 */
final class PostgresLog {
  /** The settings that make a server tell more, for an error's next step. */
  static final String SETTINGS =
      "log_line_prefix = '%m [%p] ', log_checkpoints = on, log_lock_waits = on";

  private static final String SEVERITY =
      "(LOG|DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION|ERROR|FATAL|PANIC|WARNING|NOTICE|INFO|DEBUG[1-5]?)";
  private static final Pattern DATED =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?)"
              + " ([A-Za-z]{1,8}|[+-]\\d\\d(?::?\\d\\d)?)(?![A-Za-z0-9])(.*?)\\b"
              + SEVERITY
              + ":  (.*)");
  private static final Pattern COUNTED =
      Pattern.compile("(\\d{9,10})\\.(\\d{3})(?!\\d)(.*?)\\b" + SEVERITY + ":  (.*)");
  private static final String NUMBER = "(\\d{1,12}(?:\\.\\d{1,9})?)";

  private static final Pattern CHECKPOINT =
      Pattern.compile("(checkpoint|restartpoint) starting: (.*)");
  private static final Pattern CHECKPOINT_END =
      Pattern.compile(
          "(checkpoint|restartpoint) complete: wrote (\\d{1,12}) buffers.*?sync="
              + NUMBER
              + " s, total="
              + NUMBER
              + " s.*");
  private static final Pattern LOCK =
      Pattern.compile(
          "process (\\d{1,10}) (still waiting for|acquired|avoided deadlock for|detected deadlock"
              + " while waiting for) (\\w{1,40}) on (.*?) after "
              + NUMBER
              + " ms.*");
  private static final Pattern HOLDER =
      Pattern.compile("Process(?:es)? holding the lock: ([\\d, ]{1,200})\\..*");
  private static final Pattern VACUUM =
      Pattern.compile(
          "automatic (?:aggressive )?(vacuum|analyze)(?: to prevent wraparound)? of table"
              + " \"([^\"]{1,200})\".*");
  private static final Pattern ELAPSED = Pattern.compile(".*elapsed: " + NUMBER + " s.*");
  private static final Pattern STATEMENT =
      Pattern.compile(
          "duration: " + NUMBER + " ms(?:  (?:statement|parse|bind|execute|fastpath).*)?");
  private static final Pattern LIMIT =
      Pattern.compile(
          "sorry, too many clients already.*|remaining connection slots are reserved.*");
  private static final Pattern END =
      Pattern.compile(
          "received (?:fast|smart|immediate) shutdown request"
              + "|server process \\(PID \\d{1,10}\\) was terminated by signal .*");

  private final ToldEvents events;
  private final LogClock clock;
  private final Map<String, Wait> waits = new LinkedHashMap<>();
  private @Nullable Entry entry;
  private long checkpointStart = Long.MIN_VALUE;
  private String checkpointReason = "";
  private long downSince = Long.MIN_VALUE;
  private long lines;

  /** One message with the lines that belong to it, as far as they are read. */
  private record Entry(long nanos, String process, String severity, String text) {}

  private record Wait(String lock, String object, long startNanos, long endNanos, String holders) {}

  PostgresLog(String node, @Nullable ZoneId zone) {
    events = new ToldEvents(node);
    clock = new LogClock(zone);
  }

  /** Whether a line is one of PostgreSQL's. */
  static boolean recognises(String line) {
    return DATED.matcher(line).matches() || COUNTED.matcher(line).matches();
  }

  /**
   * Reads a whole log.
   *
   * @throws DateTimeException if its zone means several
   */
  Evidence read(Path file) throws IOException {
    try (TextLines text = TextLines.open(file)) {
      for (String line = text.next(); line != null; line = text.next()) {
        try {
          take(line);
        } catch (DateTimeException e) {
          throw new DateTimeException("line " + text.number() + ": " + e.getMessage(), e);
        }
      }
    }
    finish();
    String summary =
        String.format(
            Locale.ROOT,
            "PostgreSQL's log, %,d events in %,d messages, %s",
            events.events().size(),
            lines,
            clock.words());
    List<String> notes = new ArrayList<>(events.notes(file.toString()));
    if (events.events().isEmpty()) {
      notes.add(
          "--events " + file + ": the log tells of no event; a server tells more with " + SETTINGS);
    }
    return new Evidence(events.events(), List.of(), summary, notes);
  }

  private void take(String line) {
    Entry next = parse(line);
    Entry last = entry;
    if (next != null) {
      if (last != null) {
        tell(last);
      }
      entry = next;
      lines++;
    } else if (last != null && last.text().length() < TextLines.LONGEST_LINE) {
      entry =
          new Entry(
              last.nanos(), last.process(), last.severity(), last.text() + ' ' + line.strip());
    }
  }

  private @Nullable Entry parse(String line) {
    Matcher dated = DATED.matcher(line);
    if (dated.matches()) {
      Long nanos = clock.epochNanos(dated.group(1), dated.group(2));
      return nanos == null
          ? null
          : new Entry(nanos, process(dated.group(3)), dated.group(4), dated.group(5));
    }
    Matcher counted = COUNTED.matcher(line);
    if (counted.matches()) {
      long millis = Long.parseLong(counted.group(1)) * 1_000 + Long.parseLong(counted.group(2));
      return new Entry(
          millis * 1_000_000, process(counted.group(3)), counted.group(4), counted.group(5));
    }
    return null;
  }

  private static String process(String prefix) {
    int open = prefix.indexOf('[');
    int close = prefix.indexOf(']', open + 1);
    return open < 0 || close < 0 ? "" : prefix.substring(open + 1, close);
  }

  private void finish() {
    Entry last = entry;
    if (last != null) {
      tell(last);
    }
    // Whoever waited still when the log ended did so at least as long as it says.
    waits.forEach(this::addWait);
    waits.clear();
  }

  private void tell(Entry told) {
    switch (told.severity()) {
      case "LOG" -> tellLog(told);
      case "DETAIL" -> tellHolder(told);
      case "ERROR" -> {
        if (told.text().startsWith("deadlock detected")) {
          events.add(EventKinds.DEADLOCK, told.nanos(), told.nanos(), process(told));
        }
      }
      case "FATAL" -> {
        if (LIMIT.matcher(told.text()).matches()) {
          events.add(EventKinds.CONNECTION_LIMIT, told.nanos(), told.nanos(), process(told));
        }
      }
      default -> {} // what it adds to another message
    }
  }

  private static Map<String, String> process(Entry told) {
    return told.process().isEmpty() ? Map.of() : Map.of("process", told.process());
  }

  private void tellLog(Entry told) {
    String text = told.text();
    Matcher statement = STATEMENT.matcher(text);
    Matcher lock = LOCK.matcher(text);
    Matcher vacuum = VACUUM.matcher(text);
    if (statement.matches()) {
      double millis = Double.parseDouble(statement.group(1));
      events.ended(EventKinds.SLOW_STATEMENT, told.nanos(), millis, process(told));
    } else if (lock.matches()) {
      tellLock(told.nanos(), lock);
    } else if (vacuum.matches()) {
      Matcher elapsed = ELAPSED.matcher(text);
      double millis = elapsed.matches() ? Double.parseDouble(elapsed.group(1)) * 1e3 : 0;
      events.ended(
          EventKinds.AUTOVACUUM,
          told.nanos(),
          millis,
          Map.of("operation", vacuum.group(1), "table", vacuum.group(2)));
    } else {
      tellServer(told);
    }
  }

  private void tellServer(Entry told) {
    Matcher start = CHECKPOINT.matcher(told.text());
    Matcher end = CHECKPOINT_END.matcher(told.text());
    if (start.matches()) {
      checkpointStart = told.nanos();
      checkpointReason = start.group(2);
    } else if (end.matches()) {
      tellCheckpoint(told.nanos(), end);
    } else if (END.matcher(told.text()).matches()) {
      downSince = downSince == Long.MIN_VALUE ? told.nanos() : downSince;
    } else if (told.text().startsWith("database system is ready to accept")) {
      if (downSince != Long.MIN_VALUE) {
        events.add(EventKinds.DATABASE_DOWN, downSince, told.nanos(), Map.of());
      }
      downSince = Long.MIN_VALUE;
    }
  }

  private void tellCheckpoint(long nanos, Matcher end) {
    double syncMillis = Double.parseDouble(end.group(3)) * 1e3;
    double totalMillis = Double.parseDouble(end.group(4)) * 1e3;
    Map<String, String> attributes = new HashMap<>();
    attributes.put("buffers", end.group(2));
    if (!checkpointReason.isEmpty()) {
      attributes.put("reason", checkpointReason);
    }
    if (checkpointStart == Long.MIN_VALUE || checkpointStart > nanos) {
      events.ended(EventKinds.CHECKPOINT, nanos, totalMillis, attributes);
    } else {
      events.add(EventKinds.CHECKPOINT, checkpointStart, nanos, attributes);
    }
    if (syncMillis > 0) {
      events.ended(EventKinds.CHECKPOINT_SYNC, nanos, syncMillis, attributes);
    }
    checkpointStart = Long.MIN_VALUE;
    checkpointReason = "";
  }

  private void tellLock(long nanos, Matcher lock) {
    String waiter = lock.group(1);
    long start = nanos - Math.round(Double.parseDouble(lock.group(5)) * 1e6);
    Wait before = waits.remove(waiter);
    boolean same = before != null && start < before.endNanos();
    if (before != null && !same) {
      addWait(waiter, before);
    }
    String holders = before == null || !same ? "" : before.holders();
    Wait wait = new Wait(lock.group(3), lock.group(4), start, nanos, holders);
    if (lock.group(2).equals("acquired")) {
      addWait(waiter, wait);
    } else {
      waits.put(waiter, wait);
    }
    if (waits.size() > ToldEvents.MOST) {
      waits.forEach(this::addWait);
      waits.clear();
    }
  }

  private void tellHolder(Entry told) {
    Matcher holder = HOLDER.matcher(told.text());
    if (holder.matches()) {
      waits.computeIfPresent(
          told.process(),
          (waiter, wait) ->
              new Wait(
                  wait.lock(),
                  wait.object(),
                  wait.startNanos(),
                  wait.endNanos(),
                  holder.group(1).strip()));
    }
  }

  private void addWait(String waiter, Wait wait) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put("process", waiter);
    attributes.put("lock", wait.lock());
    attributes.put("object", wait.object());
    if (!wait.holders().isEmpty()) {
      attributes.put("holders", wait.holders());
    }
    events.add(EventKinds.LOCK_WAIT, wait.startNanos(), wait.endNanos(), attributes);
  }
}
