package org.terrace.experiment.progress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.function.Consumer;
import org.terrace.core.TimeSource;
import org.terrace.observation.Event;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The progress of a command that runs, a file that it leaves in the directory of its result while
 * it works: a line of JSON for each thing that happens, format {@value #FORMAT}. Each line goes to
 * the file in one write, so that whoever follows it sees whole lines, but for the last. The file
 * begins anew when it reaches {@value #MOST_BYTES} bytes.
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
  private ObjectNode lastTrial = JSON.createObjectNode();
  private boolean failed;
  private long written;

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
    append(line("phase").put("text", description));
  }

  /** The figures of the last second, a JSON object as the load generator printed it. */
  public synchronized void figures(String json) {
    try {
      ObjectNode line = line("figures");
      line.set("figures", JSON.readTree(json));
      append(line);
    } catch (JacksonException e) {
      append(line("message").put("text", json));
    }
  }

  /** Writes a message that a user may like to read. */
  public synchronized void message(String text) {
    append(line("message").put("text", text));
  }

  /** Writes a warning that a user should read. */
  public synchronized void warning(String text) {
    append(line("warning").put("text", text));
  }

  /** A fault that was injected. */
  public synchronized void fault(Event fault) {
    ObjectNode line = line("fault").put("node", fault.node()).put("kind", fault.kind());
    append(line.put("startNanos", fault.startNanos()).put("endNanos", fault.endNanos()));
  }

  /**
   * A trial of a mesh begins.
   *
   * @param number its number among all, from 1
   * @param attempt the number of the attempt, from 1
   */
  public synchronized void trial(int number, int trials, String label, int attempt) {
    lastTrial = line("trial").put("number", number).put("trials", trials);
    lastTrial.put("label", label).put("attempt", attempt);
    append(lastTrial);
  }

  /**
   * A trial of a mesh ended.
   *
   * @param failure why it does not count; empty if it does
   */
  public synchronized void trialEnded(String label, String failure) {
    append(line("trialEnded").put("label", label).put("failure", failure));
  }

  /** The work ended; what was not told to have ended was interrupted. */
  public synchronized void end() {
    append(line("end"));
  }

  private ObjectNode line(String event) {
    return JSON.createObjectNode().put("event", event).put("atNanos", time.epochNanos());
  }

  private void beginAnew() {
    written = 0;
    write(beginning, StandardOpenOption.TRUNCATE_EXISTING);
    if (!lastTrial.isEmpty()) {
      write(lastTrial, StandardOpenOption.APPEND);
    }
  }

  private void append(ObjectNode line) {
    if (written > mostBytes) {
      beginAnew();
    }
    write(line, StandardOpenOption.APPEND);
  }

  private void write(ObjectNode line, StandardOpenOption how) {
    if (failed) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
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
