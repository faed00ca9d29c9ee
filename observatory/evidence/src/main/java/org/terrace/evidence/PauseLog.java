package org.terrace.evidence;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The pauses of a JVM, from its unified log (JEP 158). HotSpot writes a line at the end of every
 * safepoint with its length in nanoseconds, preceded by one about the collection that caused it,
 * and passes each line to the kernel before it goes on: a log is complete up to a SIGKILL. A log
 * with the collections alone gives those. Stateless.
 */
public final class PauseLog {
  /** The most pauses that are read from one log. */
  public static final int MAXIMUM_PAUSES = 1_000_000;

  /** The option of a JVM whose log {@link #read(Path, String)} can put on the wall clock. */
  public static final String DATED_OPTION = "-Xlog:gc,safepoint:file=pauses.log:time,tags";

  private static final double NANOS_PER_MILLI = 1e6;
  private static final Pattern COLLECTION =
      Pattern.compile(
          "GC\\(\\d+\\) (?:[A-Za-z]: )?Pause (.*?)(?: (\\d+[KMG]->\\d+[KMG])\\(\\d+[KMG]\\))?"
              + " (\\d{1,12}(?:\\.\\d{1,9})?)ms");
  private static final Pattern SAFEPOINT =
      Pattern.compile(
          "Safepoint \"([^\"]*)\".* Reaching safepoint: (\\d{1,18}) ns.*"
              + " At safepoint: (\\d{1,18}) ns(?:.* Leaving safepoint: (\\d{1,18}) ns)?.*");
  private static final Pattern COLLECTOR_OPERATION =
      Pattern.compile("(Serial|Parallel|G1|Z|X|Shenandoah|GenCollect|CollectFor|CGC_).*");

  private final String node;
  private final @Nullable MonotonicClock clock;
  private final List<Event> safepoints = new ArrayList<>();
  private final List<Event> collections = new ArrayList<>();
  private String lastCollection = "";
  private boolean hasPauseWithoutDate;

  private PauseLog(String node, @Nullable MonotonicClock clock) {
    this.node = node;
    this.clock = clock;
  }

  /**
   * The option of the JVM that writes the log that {@link #read(Path, String, MonotonicClock)}
   * reads.
   */
  public static String option(Path file) {
    return "-Xlog:gc,safepoint:file=" + file + ":timenanos,tags:filecount=0";
  }

  /**
   * The pauses in a log of a JVM on this machine, in their order.
   *
   * @param node the name of the server whose log it is
   * @param clock the clock that puts the log's times on the wall clock
   */
  public static List<Event> read(Path file, String node, MonotonicClock clock) {
    try {
      return new PauseLog(node, clock).pauses(file);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "the log of pauses " + file + " cannot be read: " + e, e);
    }
  }

  /**
   * The pauses in a log whose lines carry the date, as {@value #DATED_OPTION} has them written:
   * decorated with {@code time}, {@code utctime} or {@code timemillis}, whatever else they carry. A
   * date counts whole milliseconds, so a pause is known to about one.
   *
   * @param node the name of the server whose log it is
   * @throws TerraceException if it cannot be read, or has pauses without a date, or nothing that a
   *     JVM writes
   */
  public static List<Event> read(Path file, String node) {
    PauseLog log = new PauseLog(node, null);
    List<Event> events;
    try {
      events = log.pauses(file);
    } catch (MalformedInputException e) {
      throw wrong(file, "it is no text", e);
    } catch (IOException e) {
      throw wrong(file, "it cannot be read: " + e, e);
    }
    if (events.isEmpty()) {
      throw wrong(
          file,
          log.hasPauseWithoutDate
              ? "its lines carry no date, only a time since some start"
              : "it holds no pauses",
          null);
    }
    return events;
  }

  /** Whether the VM stops its threads for an operation of this name to collect garbage. */
  static boolean isCollection(String operation) {
    return COLLECTOR_OPERATION.matcher(operation).matches();
  }

  private static TerraceException wrong(Path file, String what, @Nullable Exception cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        file
            + ": "
            + what
            + "; expected the log of a JVM that was started with "
            + DATED_OPTION
            + ", or a table of events (.csv, .parquet)",
        cause);
  }

  private List<Event> pauses(Path file) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine();
          line != null && safepoints.size() + collections.size() < MAXIMUM_PAUSES;
          line = lines.readLine()) {
        PauseLogLine parts = PauseLogLine.parse(line);
        if (parts != null) { // otherwise, perhaps, the last line of a JVM that was killed meanwhile
          read(parts);
        }
      }
    }
    // A safepoint says when all threads stood still, and covers the collection told before it.
    return safepoints.isEmpty() ? collections : safepoints;
  }

  private void read(PauseLogLine line) {
    Matcher safepoint = SAFEPOINT.matcher(line.message());
    Matcher collection = COLLECTION.matcher(line.message());
    boolean isSafepoint = safepoint.matches();
    if (!isSafepoint && !collection.matches()) {
      return;
    }
    Long end = line.epochNanos(clock);
    if (end == null) {
      hasPauseWithoutDate = true;
    } else if (isSafepoint) {
      safepoints.add(safepoint(end, safepoint, COLLECTION.matcher(lastCollection)));
      lastCollection = "";
    } else {
      lastCollection = line.message();
      long lengthNanos = (long) (Double.parseDouble(collection.group(3)) * NANOS_PER_MILLI);
      Map<String, String> attributes = new HashMap<>();
      describe(collection, attributes);
      collections.add(new Event(node, EventKinds.GC_PAUSE, end - lengthNanos, end, attributes));
    }
  }

  private static void describe(Matcher collection, Map<String, String> attributes) {
    attributes.put("cause", collection.group(1));
    if (collection.group(2) != null) {
      attributes.put("heap", collection.group(2));
    }
  }

  private Event safepoint(long end, Matcher safepoint, Matcher collection) {
    String leavingNanos = safepoint.group(4) == null ? "0" : safepoint.group(4);
    Map<String, String> attributes = new HashMap<>();
    attributes.put("operation", safepoint.group(1));
    attributes.put("reachingNanos", safepoint.group(2));
    attributes.put("leavingNanos", leavingNanos);
    boolean collected = collection.matches();
    if (collected) {
      describe(collection, attributes);
    }
    boolean gc = collected || isCollection(safepoint.group(1));
    // While a safepoint is reached or left, some threads run: only between the two do all stand
    // still.
    long stoppedEnd = end - Long.parseLong(leavingNanos);
    long stoppedStart = stoppedEnd - Long.parseLong(safepoint.group(3));
    String kind = gc ? EventKinds.GC_PAUSE : EventKinds.SAFEPOINT;
    return new Event(node, kind, stoppedStart, stoppedEnd, attributes);
  }
}
