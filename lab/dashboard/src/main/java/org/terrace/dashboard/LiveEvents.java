package org.terrace.dashboard;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.dashboard.pages.RunningPage;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.experiment.progress.ProgressReader;
import org.terrace.experiment.progress.RunProgress;
import tools.jackson.databind.json.JsonMapper;

/**
 * The progress of a command as server-sent events: {@code now} with the part of the page that it
 * changes, drawn anew whenever something happened, and {@code end} with the address to go on to.
 * Thread-safe.
 */
final class LiveEvents {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** The clock on the page goes on, and a reader that has gone is noticed. */
  private static final Duration DRAW_EVERY = Duration.ofSeconds(1);

  private static final JsonMapper JSON = JsonMapper.shared();

  private final AnswerMemory memory;
  private final TimeSource time;

  /** The events of commands, whose files are read and drawn with a memory of answers. */
  LiveEvents(AnswerMemory memory, TimeSource time) {
    this.memory = memory;
    this.time = time;
  }

  /** The progress of a place as it is now, read with the memory of answers. */
  Optional<RunProgress> now(ResultPlace place) {
    return poll(new ProgressReader(place.directory()));
  }

  private Optional<RunProgress> poll(ProgressReader reader) {
    long unread = reader.unread();
    try (AnswerMemory.Held _ = memory.takeToRead(unread)) {
      return reader.poll(unread);
    }
  }

  /** The stream of a place, which holds the memory for what a reader keeps as long as it lasts. */
  PageResponse of(ResultPlace place) {
    ProgressReader reader = new ProgressReader(place.directory());
    // Who finds no memory is told before the stream begins; later it waits for some.
    poll(reader);
    return PageResponse.events(
        ProgressReader.MOST_KEPT, (output, stopping) -> follow(reader, place, output, stopping));
  }

  private void follow(
      ProgressReader reader, ResultPlace place, OutputStream output, BooleanSupplier stopping)
      throws IOException {
    Drawn drawn = new Drawn();
    while (!stopping.getAsBoolean()) {
      try {
        if (look(reader, place, output, drawn)) {
          return;
        }
      } catch (AnswerMemory.Exhausted e) {
        // What was not read or drawn now is when other answers have given their memory back.
        assert e != null;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  /** The moment of the last drawing, and what happened last before it. */
  private static final class Drawn {
    private long atNanos;
    private long lastNanos = -1;
  }

  /**
   * Looks at the file once, and sends what is new.
   *
   * @return whether that was the end
   */
  private boolean look(ProgressReader reader, ResultPlace place, OutputStream output, Drawn drawn)
      throws IOException {
    Optional<RunProgress> progress = poll(reader);
    boolean running = progress.isPresent() && progress.get().isRunning();
    if (progress.isPresent()) {
      boolean due = time.elapsedNanos() - drawn.atNanos >= DRAW_EVERY.toNanos();
      if (progress.get().lastNanos() != drawn.lastNanos || due || !running) {
        try (AnswerMemory.Held _ = memory.takeToRead(progress.get().lineBytes())) {
          send(output, "now", RunningPage.now(progress.get(), time.epochNanos()).toString());
        }
        drawn.atNanos = time.elapsedNanos();
        drawn.lastNanos = progress.get().lastNanos();
      }
    }
    if (!running) {
      boolean whole = progress.map(RunProgress::whole).orElse(true);
      send(output, "end", "/result" + goOn(place, whole));
    }
    return !running;
  }

  /** The address to go on to: a whole result takes, or has taken, its name. */
  private static String goOn(ResultPlace place, boolean whole) {
    String path = place.path();
    return whole && path.endsWith(ResultPlace.UNFINISHED)
        ? path.substring(0, path.length() - ResultPlace.UNFINISHED.length())
        : path;
  }

  private static void send(OutputStream output, String event, String data) throws IOException {
    String message = "event: " + event + "\ndata: " + JSON.writeValueAsString(data) + "\n\n";
    output.write(message.getBytes(StandardCharsets.UTF_8));
    output.flush();
  }
}
