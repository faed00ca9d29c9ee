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
import org.terrace.experiment.progress.RunProgress.Second;
import org.terrace.observation.Event;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A reader that follows a file of progress: each call takes in what was added since the last. A
 * line that is no JSON, or of a kind that it does not know, is passed over. It never follows a
 * symbolic link, and reads at most twice {@link ProgressFile#MOST_BYTES} bytes. Confined to one
 * thread.
 */
public final class ProgressReader {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final long MOST_BYTES = 2 * ProgressFile.MOST_BYTES;

  private final Path file;
  private final Deque<Second> seconds = new ArrayDeque<>();
  private final Deque<Event> faults = new ArrayDeque<>();
  private final Deque<String> warnings = new ArrayDeque<>();
  private final Deque<String> messages = new ArrayDeque<>();
  private final Deque<EndedTrial> ended = new ArrayDeque<>();
  private @Nullable JsonNode beginning;
  private @Nullable CurrentTrial trial;
  private String phase = "";
  private long phaseNanos;
  private long lastNanos;
  private boolean whole;
  private long position;

  /** A reader of the file in a result directory. */
  public ProgressReader(Path directory) {
    file = directory.resolve(ProgressFile.NAME);
  }

  /** The progress in a directory; empty if nothing there tells any. */
  public static Optional<RunProgress> of(Path directory) {
    return new ProgressReader(directory).poll();
  }

  /**
   * The progress so far; empty if there is no such file, if it is a pipe or a device, whose opening
   * could wait for ever, or if it does not begin as it should.
   *
   * @throws TerraceException if the file is there and cannot be read
   */
  public Optional<RunProgress> poll() {
    if (isPipeOrDevice()) {
      return Optional.empty();
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long size = Math.min(channel.size(), MOST_BYTES);
      if (size < position) {
        forget();
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) (size - position));
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
        beginning = known ? line : beginning;
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
    String text = line.path("text").asString("");
    switch (event) {
      case "phase" -> {
        phase = text;
        phaseNanos = lastNanos;
      }
      case "figures" -> keep(seconds, second(line.path("figures")), RunProgress.MOST_SECONDS);
      case "message" -> keep(messages, text, RunProgress.MOST_LINES);
      case "warning" -> keep(warnings, text, RunProgress.MOST_LINES);
      case "fault" -> keep(faults, fault(line), RunProgress.MOST_LINES);
      case "trial" -> {
        trial =
            new CurrentTrial(
                line.path("number").asInt(0),
                line.path("trials").asInt(0),
                line.path("label").asString(""),
                line.path("attempt").asInt(1));
        seconds.clear();
        faults.clear();
      }
      case "trialEnded" ->
          keep(
              ended,
              new EndedTrial(line.path("label").asString(""), line.path("failure").asString("")),
              RunProgress.MOST_LINES);
      case "end" -> whole = true;
      default -> {}
    }
  }

  private static <T> void keep(Deque<T> kept, T added, int most) {
    kept.addLast(added);
    if (kept.size() > most) {
      kept.removeFirst();
    }
  }

  private Second second(JsonNode figures) {
    return new Second(
        lastNanos,
        figures.path("phase").asString(""),
        figures.path("users").asLong(0),
        figures.path("requestsPerSecond").asDouble(0),
        figures.path("errors").asLong(0),
        figures.path("p50Micros").asDouble(0),
        figures.path("p99Micros").asDouble(0));
  }

  private static Event fault(JsonNode line) {
    long start = line.path("startNanos").asLong(0);
    return new Event(
        line.path("node").asString(""),
        line.path("kind").asString(""),
        start,
        Math.max(start, line.path("endNanos").asLong(start)),
        Map.of());
  }

  private RunProgress progress(JsonNode begun) {
    return new RunProgress(
        begun.path("kind").asString(""),
        begun.path("name").asString(""),
        begun.path("process").asLong(0),
        begun.path("processStartMillis").asLong(RunProgress.UNKNOWN),
        begun.path("startNanos").asLong(0),
        lastNanos,
        phase,
        phaseNanos,
        List.copyOf(seconds),
        List.copyOf(faults),
        List.copyOf(warnings),
        List.copyOf(messages),
        trial,
        List.copyOf(ended),
        whole);
  }
}
