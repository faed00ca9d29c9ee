package org.terrace.experiment.progress;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Event;

/**
 * The progress of a command, as far as its file tells it. Immutable.
 *
 * @param kind {@code experiment}, {@code mesh} or {@code study}
 * @param name the name of what is run
 * @param process the process that runs it
 * @param processStartMillis when that process started, since the Unix epoch; {@value #UNKNOWN} if
 *     it could not tell
 * @param startNanos when the work began, since the Unix epoch
 * @param lastNanos when something happened last
 * @param phase the phase it has come to, in words; empty before the first
 * @param phaseNanos when that phase began
 * @param load the load so far, of the trial under way in a mesh; its seconds may be more than kept
 * @param seconds the figures of each second, oldest first; the last {@value #MOST_SECONDS} are kept
 * @param faults the faults so far; the last {@value #MOST_LINES} are kept
 * @param warnings the warnings so far; the last {@value #MOST_LINES} are kept
 * @param messages the messages so far; the last {@value #MOST_LINES} are kept
 * @param trial the trial of a mesh under way; null before the first, and outside meshes
 * @param ended the trials of a mesh that ended since it began; the last {@value #MOST_LINES}
 * @param whole whether the work came to its end
 */
public record RunProgress(
    String kind,
    String name,
    long process,
    long processStartMillis,
    long startNanos,
    long lastNanos,
    String phase,
    long phaseNanos,
    LoadSoFar load,
    List<Second> seconds,
    List<Event> faults,
    List<String> warnings,
    List<String> messages,
    @Nullable CurrentTrial trial,
    List<EndedTrial> ended,
    boolean whole) {
  /** The seconds that are kept at most. */
  public static final int MOST_SECONDS = 7_200;

  /** The faults, warnings, messages and ended trials that are kept at most, of each. */
  public static final int MOST_LINES = 200;

  /** The bytes of a line, a second's figures or what is told beside a text. */
  private static final int LINE_BYTES = 200;

  /** The start of a process that cannot be told. */
  public static final long UNKNOWN = -1;

  /** Copies the lists. */
  public RunProgress {
    seconds = List.copyOf(seconds);
    faults = List.copyOf(faults);
    warnings = List.copyOf(warnings);
    messages = List.copyOf(messages);
    ended = List.copyOf(ended);
  }

  /**
   * The load since it began, whatever is kept of its seconds.
   *
   * @param startNanos when its first second was told, since the Unix epoch; 0 before it began
   * @param errors the pages that failed
   */
  public record LoadSoFar(long startNanos, long errors) {
    /** No load that has begun. */
    static final LoadSoFar NONE = new LoadSoFar(0, 0);

    /**
     * The load with another second.
     *
     * @param atNanos when that was told, since the Unix epoch
     * @param failed the pages that failed in it
     */
    LoadSoFar and(long atNanos, long failed) {
      return new LoadSoFar(startNanos == 0 ? atNanos : startNanos, errors + failed);
    }
  }

  /**
   * The load generator's figures of one second.
   *
   * @param atNanos when they were told, since the Unix epoch
   * @param phase the load's phase: {@code ramp-up}, {@code run} or {@code ramp-down}
   * @param users users at work
   * @param requestsPerSecond pages that ended
   * @param errors those of them that failed
   * @param p50Micros the median of their response times; 0 where no page ended
   * @param p99Micros the 99th percentile of their response times; 0 where no page ended
   */
  public record Second(
      long atNanos,
      String phase,
      long users,
      double requestsPerSecond,
      long errors,
      double p50Micros,
      double p99Micros) {
    /** Whether a page ended, so that there are response times. */
    public boolean isTimed() {
      return requestsPerSecond > 0;
    }
  }

  /**
   * The trial of a mesh that is under way.
   *
   * @param number its number among all, from 1
   * @param trials how many there are
   * @param label its configuration and load, in words
   * @param attempt the number of the attempt, from 1
   */
  public record CurrentTrial(int number, int trials, String label, int attempt) {}

  /**
   * A trial that ended.
   *
   * @param label its configuration and load, in words
   * @param failure why it does not count; empty if it does
   */
  public record EndedTrial(String label, String failure) {}

  /** About as many bytes as the lines that it was read from have, as far as they are kept. */
  public long lineBytes() {
    return (long) LINE_BYTES
            * (seconds.size() + faults.size() + warnings.size() + messages.size() + ended.size())
        + Stream.of(warnings, messages).flatMap(List::stream).mapToLong(String::length).sum()
        + ended.stream().mapToLong(each -> each.label().length() + each.failure().length()).sum();
  }

  /** The figures of the last second; empty before the load began. */
  public Optional<Second> last() {
    return seconds.isEmpty() ? Optional.empty() : Optional.of(seconds.getLast());
  }

  /**
   * Whether the process is at work on this machine: it has not told the end, and is there, and is
   * no other one that was given its number.
   */
  public boolean isRunning() {
    if (whole) {
      return false;
    }
    Optional<ProcessHandle> handle = ProcessHandle.of(process).filter(ProcessHandle::isAlive);
    return handle.isPresent()
        && handle
            .flatMap(each -> each.info().startInstant())
            .map(Instant::toEpochMilli)
            .map(millis -> processStartMillis == UNKNOWN || millis == processStartMillis)
            .orElse(true);
  }
}
