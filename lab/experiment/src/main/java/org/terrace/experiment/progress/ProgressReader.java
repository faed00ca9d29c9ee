package org.terrace.experiment.progress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.progress.RunProgress.CurrentTrial;
import org.terrace.experiment.progress.RunProgress.EndedTrial;
import org.terrace.experiment.progress.RunProgress.LoadSoFar;
import org.terrace.experiment.progress.RunProgress.Second;
import org.terrace.observation.Event;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A reader that follows a file of progress: each call takes in what was added since the last. A
 * line that is no JSON, or of a kind that it does not know, is passed over. It never follows a
 * symbolic link, reads at most twice {@link ProgressFile#MOST_BYTES} bytes, and keeps at most
 * {@value #MOST_KEPT} bytes of them: longer texts are cut. Confined to one thread.
 */
public final class ProgressReader {
  /** The most bytes that are kept of a file. */
  public static final long MOST_KEPT = 2 << 20;

  private static final int MOST_TEXT = 500;

  /** The most characters of a name, of which there is one for each second. */
  private static final int MOST_NAME = 40;

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final long MOST_BYTES = 2 * ProgressFile.MOST_BYTES;

  private final Path file;
  private final Deque<Second> seconds = new ArrayDeque<>();
  private final Deque<Event> faults = new ArrayDeque<>();
  private final Deque<String> warnings = new ArrayDeque<>();
  private final Deque<String> messages = new ArrayDeque<>();
  private final Deque<EndedTrial> ended = new ArrayDeque<>();
  private @Nullable Beginning beginning;
  private @Nullable CurrentTrial trial;
  private LoadSoFar load = LoadSoFar.NONE;
  private String phase = "";
  private long phaseNanos;
  private long lastNanos;
  private boolean whole;
  private long position;

  /** The first line of a file. */
  private record Beginning(
      String kind, String name, long process, long processStartMillis, long startNanos) {
    static Beginning of(JsonNode line) {
      return new Beginning(
          text(line, "kind", MOST_NAME),
          text(line, "name", MOST_TEXT),
          line.path("process").asLong(0),
          line.path("processStartMillis").asLong(RunProgress.UNKNOWN),
          line.path("startNanos").asLong(0));
    }
  }

  /** A reader of the file in a result directory. */
  public ProgressReader(Path directory) {
    file = directory.resolve(ProgressFile.NAME);
  }

  /** The progress in a directory; empty if nothing there tells any. */
  public static Optional<RunProgress> of(Path directory) {
    return new ProgressReader(directory).poll();
  }

  /** The bytes that the next call has to read: 0 where there is no file that it could. */
  public long unread() {
    try {
      BasicFileAttributes found =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      long size = found.isRegularFile() ? Math.min(found.size(), MOST_BYTES) : 0;
      return size < position ? size : size - position;
    } catch (IOException e) {
      return 0; // reading it tells why
    }
  }

  /** The progress so far, as {@link #poll(long)} tells it, whatever there is to read. */
  public Optional<RunProgress> poll() {
    return poll(MOST_BYTES);
  }

  /**
   * The progress so far; empty if there is no such file, if it is a pipe or a device, whose opening
   * could wait for ever, or if it does not begin as it should.
   *
   * @param mostBytes the most bytes to read now; a later call goes on after them
   * @throws TerraceException if the file is there and cannot be read
   */
  public Optional<RunProgress> poll(long mostBytes) {
    if (isPipeOrDevice()) {
      return Optional.empty();
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long size = Math.min(channel.size(), MOST_BYTES);
      long most = mostBytes;
      if (size < position) {
        forget();
        most = size; // half of its first line would tell of no command
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, size - position));
      while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) > 0) {}
      take(bytes.array(), bytes.position());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, file + ": it cannot be read: " + e, e);
    }
    return Optional.ofNullable(beginning).map(this::progress);
  }

  private boolean isPipeOrDevice() {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther();
    } catch (IOException e) {
      return false; // opening it tells why
    }
  }

  private void forget() {
    position = 0;
    beginning = null;
    trial = null;
    load = LoadSoFar.NONE;
    phase = "";
    phaseNanos = 0;
    whole = false;
    List.of(seconds, faults, warnings, messages, ended).forEach(Deque::clear);
  }

  private void take(byte[] bytes, int length) {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        line(new String(bytes, start, i - start, StandardCharsets.UTF_8));
        start = i + 1;
      }
    }
    position += start;
  }

  private void line(String text) {
    try {
      JsonNode line = JSON.readTree(text);
      String event = line.path("event").asString("");
      if (event.equals("begin")) {
        boolean known = line.path("format").asString("").equals(ProgressFile.FORMAT);
        beginning = known ? Beginning.of(line) : beginning;
        lastNanos = line.path("startNanos").asLong(0);
      } else {
        lastNanos = line.path("atNanos").asLong(lastNanos);
        event(event, line);
      }
    } catch (JacksonException e) {
      // Not a line of a progress file: what follows may be.
      assert e != null;
    }
  }

  private void event(String event, JsonNode line) {
    String text = text(line, "text", MOST_TEXT);
    switch (event) {
      case "phase" -> {
        phase = text;
        phaseNanos = lastNanos;
      }
      case "figures" -> {
        Second second = second(line.path("figures"));
        load = load.and(lastNanos, second.errors());
        keep(seconds, second, RunProgress.MOST_SECONDS);
      }
      case "load" ->
          load = new LoadSoFar(line.path("startNanos").asLong(0), line.path("errors").asLong(0));
      case "message" -> keep(messages, text, RunProgress.MOST_LINES);
      case "warning" -> keep(warnings, text, RunProgress.MOST_LINES);
      case "fault" -> keep(faults, fault(line), RunProgress.MOST_LINES);
      case "trial" -> {
        trial =
            new CurrentTrial(
                line.path("number").asInt(0),
                line.path("trials").asInt(0),
                text(line, "label", MOST_TEXT),
                line.path("attempt").asInt(1));
        load = LoadSoFar.NONE;
        seconds.clear();
        faults.clear();
      }
      case "trialEnded" ->
          keep(
              ended,
              new EndedTrial(text(line, "label", MOST_TEXT), text(line, "failure", MOST_TEXT)),
              RunProgress.MOST_LINES);
      case "end" -> whole = true;
      default -> {}
    }
  }

  private static String text(JsonNode line, String field, int most) {
    return cut(line.path(field).asString(""), most);
  }

  /** A text as far as it is kept of a line; one that was cut stays as it is. */
  static String cut(String text) {
    return cut(text, MOST_TEXT);
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + " …";
  }

  /** Adds to what is kept, of which the oldest goes when there is more than so much. */
  static <T> void keep(Deque<T> kept, T added, int most) {
    kept.addLast(added);
    if (kept.size() > most) {
      kept.removeFirst();
    }
  }

  private Second second(JsonNode figures) {
    return new Second(
        lastNanos,
        text(figures, "phase", MOST_NAME),
        figures.path("users").asLong(0),
        figures.path("requestsPerSecond").asDouble(0),
        figures.path("errors").asLong(0),
        figures.path("p50Micros").asDouble(0),
        figures.path("p99Micros").asDouble(0));
  }

  private static Event fault(JsonNode line) {
    long start = line.path("startNanos").asLong(0);
    return new Event(
        text(line, "node", MOST_TEXT),
        text(line, "kind", MOST_TEXT),
        start,
        Math.max(start, line.path("endNanos").asLong(start)),
        Map.of());
  }

  private RunProgress progress(Beginning begun) {
    return new RunProgress(
        begun.kind(),
        begun.name(),
        begun.process(),
        begun.processStartMillis(),
        begun.startNanos(),
        lastNanos,
        phase,
        phaseNanos,
        load,
        List.copyOf(seconds),
        List.copyOf(faults),
        List.copyOf(warnings),
        List.copyOf(messages),
        trial,
        List.copyOf(ended),
        whole);
  }
}
