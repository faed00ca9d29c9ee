package org.terrace.dashboard;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.terrace.core.TimeSource;
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

  private final TimeSource time;

  LiveEvents(TimeSource time) {
    this.time = time;
  }

  PageResponse of(ResultPlace place) {
    return PageResponse.events((output, stopping) -> follow(place, output, stopping));
  }

  private void follow(ResultPlace place, OutputStream output, BooleanSupplier stopping)
      throws IOException {
    ProgressReader reader = new ProgressReader(place.directory());
    long drawn = 0;
    long told = -1;
    while (!stopping.getAsBoolean()) {
      Optional<RunProgress> progress = reader.poll();
      boolean running = progress.isPresent() && progress.get().isRunning();
      if (progress.isPresent()) {
        boolean due = time.elapsedNanos() - drawn >= DRAW_EVERY.toNanos();
        if (progress.get().lastNanos() != told || due || !running) {
          drawn = time.elapsedNanos();
          told = progress.get().lastNanos();
          send(output, "now", RunningPage.now(progress.get(), time.epochNanos()).toString());
        }
      }
      if (!running) {
        boolean whole = progress.map(RunProgress::whole).orElse(true);
        send(output, "end", "/result" + goOn(place, whole));
        return;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
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
