package org.terrace.nodes.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * Reads the pauses of a JVM from its unified log. HotSpot writes a line at the end of every
 * safepoint with its length in nanoseconds, preceded by one about the collection that caused it,
 * and passes each line to the kernel before it goes on: a log is complete up to a SIGKILL.
 * Stateless.
 */
public final class PauseLog {
  /** At most this many pauses are read from one log. */
  public static final int MAXIMUM_PAUSES = 1_000_000;

  private static final Pattern LINE = Pattern.compile("\\[(\\d+)ns\\]\\[(\\w+) *\\] (.*)");
  private static final Pattern COLLECTION =
      Pattern.compile(
          "GC\\(\\d+\\) Pause (.*?)(?: (\\d+[KMG]->\\d+[KMG])\\(\\d+[KMG]\\))? [\\d.]+ms");
  private static final Pattern SAFEPOINT =
      Pattern.compile(
          "Safepoint \"([^\"]*)\".* Reaching safepoint: (\\d+) ns.* At safepoint: (\\d+) ns.*"
              + " Leaving safepoint: (\\d+) ns.*");
  private static final Pattern COLLECTOR_OPERATION =
      Pattern.compile("(Serial|Parallel|G1|Z|X|Shenandoah|GenCollect|CollectFor|CGC_).*");

  private PauseLog() {}

  /** The option of the JVM that writes the log. */
  public static String option(Path file) {
    return "-Xlog:gc,safepoint:file=" + file + ":timenanos,tags:filecount=0";
  }

  /**
   * The pauses in a log, in their order.
   *
   * @param node the name of the server whose log it is
   * @param clock the clock that puts the log's times on the wall clock
   */
  public static List<Event> read(Path file, String node, MonotonicClock clock) {
    List<Event> events = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String collection = "";
      for (String line = lines.readLine();
          line != null && events.size() < MAXIMUM_PAUSES;
          line = lines.readLine()) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
          continue; // the last line of a JVM that was killed while it wrote
        }
        if (parts.group(2).equals("gc")) {
          collection = parts.group(3);
          continue;
        }
        Matcher safepoint = SAFEPOINT.matcher(parts.group(3));
        if (safepoint.matches()) {
          long end = clock.toEpochNanos(Long.parseLong(parts.group(1)));
          events.add(event(node, end, safepoint, COLLECTION.matcher(collection)));
          collection = "";
        }
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "the log of pauses " + file + " cannot be read: " + e, e);
    }
    return events;
  }

  private static Event event(String node, long end, Matcher safepoint, Matcher collection) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put("operation", safepoint.group(1));
    attributes.put("reachingNanos", safepoint.group(2));
    attributes.put("leavingNanos", safepoint.group(4));
    boolean collected = collection.matches();
    if (collected) {
      attributes.put("cause", collection.group(1));
      if (collection.group(2) != null) {
        attributes.put("heap", collection.group(2));
      }
    }
    boolean gc = collected || COLLECTOR_OPERATION.matcher(safepoint.group(1)).matches();
    // While a safepoint is reached or left, some threads run: only between the two do all stand
    // still.
    long stoppedEnd = end - Long.parseLong(safepoint.group(4));
    long stoppedStart = stoppedEnd - Long.parseLong(safepoint.group(3));
    String kind = gc ? EventKinds.GC_PAUSE : EventKinds.SAFEPOINT;
    return new Event(node, kind, stoppedStart, stoppedEnd, attributes);
  }
}
