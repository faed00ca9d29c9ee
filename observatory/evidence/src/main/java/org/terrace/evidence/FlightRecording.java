package org.terrace.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.EventKinds;

/**
 * The events of a recording of JDK Flight Recorder: pauses of the collector and other safepoints,
 * stalls of allocation, waits for monitors, pinned virtual threads, compilations, flushes of files,
 * and what a thread waited for at sockets. Its times are of the wall clock, in UTC. A recording
 * that was cut gives what comes before the cut. Confined to one thread.
 */
final class FlightRecording {
  private static final int NOT_KNOWN = 0;

  private final ToldEvents events;
  private final List<RecordedEvent> collections = new ArrayList<>();
  private final Map<Long, String> causes = new HashMap<>();
  private long read = NOT_KNOWN;
  private boolean hasPauses;

  FlightRecording(String node) {
    events = new ToldEvents(node);
  }

  /** Whether a file begins as a recording does. */
  static boolean recognises(byte[] head) {
    return head.length >= 4 && head[0] == 'F' && head[1] == 'L' && head[2] == 'R' && head[3] == 0;
  }

  Evidence read(Path file) {
    List<String> notes = new ArrayList<>();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        take(recording.readEvent());
        read++;
      }
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      // The JDK's reader answers damage with unchecked exceptions of many kinds, with InternalError
      // for names that are none, and with a want of memory for sizes that are none.
      if (read == NOT_KNOWN) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            file
                + ": it begins like a recording of JDK Flight Recorder, but cannot be read ("
                + e
                + "); write it again with: jcmd PID JFR.dump filename=app.jfr",
            e);
      }
      notes.add(
          String.format(
              Locale.ROOT,
              "--events %s: the recording is cut or damaged after %,d events",
              file,
              read));
    }
    finish();
    notes.addAll(events.notes(file.toString()));
    if (events.events().isEmpty()) {
      notes.add(
          "--events "
              + file
              + ": the recording has no pause, wait or compilation; record with"
              + " -XX:StartFlightRecording:settings=profile");
    }
    String summary =
        String.format(
            Locale.ROOT,
            "a recording of JDK Flight Recorder, %,d events of %,d, times in UTC",
            events.events().size(),
            read);
    return new Evidence(events.events(), List.of(), summary, notes);
  }

  private void take(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "jdk.GCPhasePause" -> {
        hasPauses = true;
        collections.add(event);
      }
      case "jdk.GarbageCollection" -> {
        causes.put(number(event, "gcId"), text(event, "cause"));
        collections.add(event);
      }
      case "jdk.ExecuteVMOperation" -> {
        String operation = text(event, "operation");
        boolean stops = event.hasField("safepoint") && event.getBoolean("safepoint");
        if (stops && !PauseLog.isCollection(operation)) {
          add(EventKinds.SAFEPOINT, event, Map.of("operation", operation));
        }
      }
      case "jdk.ZAllocationStall" -> add(EventKinds.ALLOCATION_STALL, event, Map.of());
      case "jdk.JavaMonitorEnter" ->
          add(EventKinds.MONITOR_WAIT, event, described("class", className(event), event));
      case "jdk.VirtualThreadPinned" ->
          add(EventKinds.THREAD_PINNED, event, described("", "", event));
      case "jdk.Compilation" ->
          add(
              EventKinds.COMPILATION,
              event,
              Map.of("level", Long.toString(number(event, "compileLevel"))));
      case "jdk.FileForce" -> add(EventKinds.FILE_SYNC, event, described("", "", event));
      case "jdk.SocketRead" -> add(EventKinds.SOCKET_READ, event, socket(event));
      case "jdk.SocketWrite" -> add(EventKinds.SOCKET_WRITE, event, socket(event));
      default -> {} // tells of no time in which something stood still
    }
  }

  private void finish() {
    for (RecordedEvent event : collections) {
      boolean pause = event.getEventType().getName().equals("jdk.GCPhasePause");
      if (pause == hasPauses) {
        String cause = causes.getOrDefault(number(event, "gcId"), "");
        add(
            EventKinds.GC_PAUSE,
            event,
            cause.isEmpty() ? Map.of() : Map.of("cause", cause, "name", text(event, "name")));
      }
    }
  }

  private void add(String kind, RecordedEvent event, Map<String, String> attributes) {
    long start = nanos(event.getStartTime());
    events.add(kind, start, nanos(event.getEndTime()), attributes);
  }

  private static long nanos(Instant instant) {
    try {
      return ChronoUnit.NANOS.between(Instant.EPOCH, instant);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalStateException("a time beyond what nanoseconds count: " + instant, e);
    }
  }

  private static Map<String, String> socket(RecordedEvent event) {
    return described("remote", text(event, "address") + ":" + number(event, "port"), event);
  }

  private static Map<String, String> described(String name, String value, RecordedEvent event) {
    Map<String, String> attributes = new HashMap<>();
    RecordedThread thread = event.getThread();
    if (thread != null && thread.getJavaName() != null) {
      attributes.put("thread", thread.getJavaName());
    }
    if (!name.isEmpty()) {
      attributes.put(name, value);
    }
    return attributes;
  }

  private static String className(RecordedEvent event) {
    @Nullable RecordedClass of =
        event.hasField("monitorClass") ? event.getClass("monitorClass") : null;
    return of == null ? "" : of.getName();
  }

  private static String text(RecordedEvent event, String field) {
    String value = event.hasField(field) ? event.getString(field) : null;
    return value == null ? "" : value;
  }

  private static long number(RecordedEvent event, String field) {
    return event.hasField(field) ? event.getLong(field) : 0;
  }
}
