package org.terrace.experiment.progress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.terrace.core.TimeSource;
import org.terrace.experiment.progress.RunProgress.LoadSoFar;
import org.terrace.observation.Event;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The progress of a command that runs, a file that it leaves in the directory of its result while
 * it works: a line of JSON for each thing that happens, format {@value #FORMAT}. Each line goes to
 * the file in one write, so that whoever follows it sees whole lines, but for the last. The file
 * begins anew when it reaches {@value #MOST_BYTES} bytes, with the trial, phase and load as they
 * are and the last {@value RunProgress#MOST_LINES} faults, warnings, messages and ended trials, but
 * not the figures of seconds.
 *
 * <p>The work goes on where the file cannot be written: that is told once. Thread-safe.
 */
public final class ProgressFile implements AutoCloseable {
  /** The name of the file in a result directory. */
  public static final String NAME = "progress.jsonl";

  /** The name and version of the format. */
  public static final String FORMAT = "terrace-progress/1";

  /** The size at which the file begins anew, in bytes. */
  public static final long MOST_BYTES = 8 << 20;

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path file;
  private final TimeSource time;
  private final Consumer<String> warn;
  private final long mostBytes;
  private final ObjectNode beginning;
  private final Deque<ObjectNode> faults = new ArrayDeque<>();
  private final Deque<ObjectNode> warnings = new ArrayDeque<>();
  private final Deque<ObjectNode> messages = new ArrayDeque<>();
  private final Deque<ObjectNode> ended = new ArrayDeque<>();
  private Optional<ObjectNode> lastTrial = Optional.empty();
  private Optional<ObjectNode> lastPhase = Optional.empty();
  private LoadSoFar load = LoadSoFar.NONE;
  private boolean failed;
  private long written;

  /** The bytes with which the file began. */
  private long begun;

  private ProgressFile(
      Path file, String kind, String name, TimeSource time, Consumer<String> warn, long mostBytes) {
    this.file = file;
    this.time = time;
    this.warn = warn;
    this.mostBytes = mostBytes;
    ProcessHandle self = ProcessHandle.current();
    beginning = JSON.createObjectNode();
    beginning.put("event", "begin").put("format", FORMAT).put("kind", kind).put("name", name);
    beginning.put("process", self.pid());
    beginning.put(
        "processStartMillis",
        self.info().startInstant().map(Instant::toEpochMilli).orElse(RunProgress.UNKNOWN));
    beginning.put("startNanos", time.epochNanos());
  }

  /**
   * Begins the file in a directory; one that an earlier command left is written over.
   *
   * @param kind {@code experiment}, {@code mesh} or {@code study}
   * @param name the name of what is run
   * @param warn told once if the file cannot be written
   */
  public static ProgressFile begin(
      Path directory, String kind, String name, TimeSource time, Consumer<String> warn) {
    return begin(directory, kind, name, time, warn, MOST_BYTES);
  }

  static ProgressFile begin(
      Path directory,
      String kind,
      String name,
      TimeSource time,
      Consumer<String> warn,
      long mostBytes) {
    ProgressFile progress =
        new ProgressFile(directory.resolve(NAME), kind, name, time, warn, mostBytes);
    progress.beginAnew();
    return progress;
  }

  /** The work has come to another phase. */
  public synchronized void phase(String description) {
    ObjectNode line = line("phase").put("text", description);
    append(line);
    lastPhase = Optional.of(line);
  }

  /** The figures of the last second, a JSON object as the load generator printed it. */
  public synchronized void figures(String json) {
    try {
      ObjectNode line = line("figures");
      JsonNode figures = JSON.readTree(json);
      line.set("figures", figures);
      append(line);
      load = load.and(line.path("atNanos").asLong(), figures.path("errors").asLong(0));
    } catch (JacksonException e) {
      message(json);
    }
  }

  /** Writes a message that a user may like to read. */
  public synchronized void message(String text) {
    append(messages, line("message").put("text", text));
  }

  /** Writes a warning that a user should read. */
  public synchronized void warning(String text) {
    append(warnings, line("warning").put("text", text));
  }

  /** A fault that was injected. */
  public synchronized void fault(Event fault) {
    ObjectNode line = line("fault").put("node", fault.node()).put("kind", fault.kind());
    append(faults, line.put("startNanos", fault.startNanos()).put("endNanos", fault.endNanos()));
  }

  /**
   * A trial of a mesh begins.
   *
   * @param number its number among all, from 1
   * @param attempt the number of the attempt, from 1
   */
  public synchronized void trial(int number, int trials, String label, int attempt) {
    ObjectNode line = line("trial").put("number", number).put("trials", trials);
    append(line.put("label", label).put("attempt", attempt));
    lastTrial = Optional.of(line);
    load = LoadSoFar.NONE;
    faults.clear();
  }

  /**
   * A trial of a mesh ended.
   *
   * @param failure why it does not count; empty if it does
   */
  public synchronized void trialEnded(String label, String failure) {
    append(ended, line("trialEnded").put("label", label).put("failure", failure));
  }

  /** The work ended; what was not told to have ended was interrupted. */
  public synchronized void end() {
    append(line("end"));
  }

  private ObjectNode line(String event) {
    return JSON.createObjectNode().put("event", event).put("atNanos", time.epochNanos());
  }

  private void beginAnew() {
    StringBuilder text = new StringBuilder(beginning + "\n");
    // A reader forgets the load and the faults of the trial before when it comes to one.
    lastTrial.ifPresent(line -> text.append(line).append('\n'));
    lastPhase.ifPresent(line -> text.append(line).append('\n'));
    if (load.startNanos() != 0) {
      ObjectNode line = line("load").put("startNanos", load.startNanos());
      text.append(line.put("errors", load.errors())).append('\n');
    }
    List.of(faults, warnings, messages, ended)
        .forEach(kept -> kept.forEach(line -> text.append(line).append('\n')));
    written = 0;
    write(text.toString(), StandardOpenOption.TRUNCATE_EXISTING);
    begun = written;
  }

  /** Appends a line of those of which the last ones are there when the file begins anew. */
  private void append(Deque<ObjectNode> kept, ObjectNode line) {
    append(line);
    ObjectNode cut = line.deepCopy();
    for (String field : List.of("text", "label", "failure")) {
      if (line.has(field)) {
        cut.put(field, ProgressReader.cut(line.path(field).asString("")));
      }
    }
    ProgressReader.keep(kept, cut, RunProgress.MOST_LINES);
  }

  private void append(ObjectNode line) {
    // Half of the file or more is of what happened since it began, or it would begin at each line.
    if (written > Math.max(mostBytes, 2 * begun)) {
      beginAnew();
    }
    write(line + "\n", StandardOpenOption.APPEND);
  }

  private void write(String lines, StandardOpenOption how) {
    if (failed) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
      while (bytes.hasRemaining()) {
        written += channel.write(bytes);
      }
    } catch (IOException e) {
      failed = true;
      warn.accept(file + ": the progress cannot be written for others to follow: " + e);
    }
  }

  /** Ends the file where {@link #end} did not: the work was interrupted, or failed. */
  @Override
  public synchronized void close() {
    failed = true;
  }
}
