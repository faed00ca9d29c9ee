package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Measures the parts of subjects, each within its time: what fails or takes too long is noted, and
 * the rest goes on. A part that took too long is not tried again. Confined to one thread.
 */
final class Parts {
  private static final int REASON_MAX = 160;
  private static final Duration MOMENT = Duration.ofMillis(300);

  /** The work of a part: it measures and records. */
  @FunctionalInterface
  interface Measurement {
    void measure() throws IOException;
  }

  private final Processes processes;
  private final Results results;
  private final Progress progress;
  private final Function<Part, Duration> longest;
  private final Map<Subject, Set<Part>> givenUp = new EnumMap<>(Subject.class);

  Parts(Processes processes, Results results, Progress progress) {
    this(processes, results, progress, Part::longest);
  }

  /** The same with limits of their own. */
  Parts(Processes processes, Results results, Progress progress, Function<Part, Duration> longest) {
    this.processes = processes;
    this.results = results;
    this.progress = progress;
    this.longest = longest;
  }

  /** Measures a part unless it was given up; whether its processes are as good as before. */
  boolean attempt(Subject subject, Part part, Measurement measurement) {
    Set<Part> tooLong = givenUp.computeIfAbsent(subject, absent -> EnumSet.noneOf(Part.class));
    if (processes.isInterrupted() || tooLong.contains(part)) {
      return true;
    }
    progress.begin(part);
    @Nullable String failure = null;
    Processes.Limit limit = processes.limit(longest.apply(part));
    try {
      measurement.measure();
    } catch (IOException | RuntimeException e) {
      failure = String.valueOf(e.getMessage());
    }
    boolean isOver = limit.lift();
    if (failure != null && isOver) {
      tooLong.add(part);
      failure = "it took longer than " + longest.apply(part).toSeconds() + " s";
    }
    if (failure == null) {
      progress.end();
      return !isOver;
    }
    if (!processes.isInterruptedSoon(MOMENT)) {
      String reason = failure.length() <= REASON_MAX ? failure : failure.substring(0, REASON_MAX);
      results.skip(subject, part.metric(), reason);
      progress.skip(part, reason);
    }
    return false;
  }
}
