package org.terrace.core.process;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.terrace.core.TimeSource;

/**
 * The wait until a process that was started can be used: until it says a line, or until a check
 * holds. Whoever reads the process's output tells of every line; others may wait meanwhile.
 * Thread-safe.
 */
public final class ReadyWait {
  /** The end of a wait. */
  public enum Outcome {
    /** The line was said, or the check held. */
    READY,
    /** The process ended before. */
    ENDED,
    /** The time passed before either. */
    LATE
  }

  private static final Duration POLL = Duration.ofMillis(10);

  /** The time in which the last words of a process that has ended are still read from its pipe. */
  private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(2);

  private final Process process;
  private final Predicate<String> wanted;
  private final CompletableFuture<Optional<String>> said = new CompletableFuture<>();

  /** A wait for a line of a process. */
  public ReadyWait(Process process, Predicate<String> wanted) {
    this.process = process;
    this.wanted = wanted;
  }

  /** The lines that consist of a word, or begin with it and a blank. */
  public static Predicate<String> word(String word) {
    return line -> line.equals(word) || line.startsWith(word + " ");
  }

  /** Tells of a line that the process said; true if it is the first that was waited for. */
  public boolean heard(String line) {
    return wanted.test(line) && said.complete(Optional.of(line));
  }

  /** Tells that the process says no more. */
  public void outputEnded() {
    said.complete(Optional.empty());
  }

  /** The line that was waited for, if it was said. */
  public Optional<String> line() {
    return said.getNow(Optional.empty());
  }

  /** Waits until the line is said or cannot be said any more. */
  public Outcome await(Duration within) throws InterruptedException {
    try {
      CompletableFuture.anyOf(said, process.onExit()).get(within.toNanos(), TimeUnit.NANOSECONDS);
      if (said.get(LAST_WORDS_WITHIN.toNanos(), TimeUnit.NANOSECONDS).isPresent()) {
        return Outcome.READY;
      }
      // It may have closed its output and live on, and will never say the line.
      return process.waitFor(within.toNanos(), TimeUnit.NANOSECONDS) ? Outcome.ENDED : Outcome.LATE;
    } catch (TimeoutException e) {
      return process.isAlive() ? Outcome.LATE : Outcome.ENDED;
    } catch (ExecutionException e) {
      throw new IllegalStateException("neither of the two can fail", e);
    }
  }

  /** Waits until a check of a process holds; it is asked again every 10 ms. */
  public static Outcome until(
      BooleanSupplier check, Process process, Duration within, TimeSource time)
      throws InterruptedException {
    long deadline = time.elapsedNanos() + within.toNanos();
    while (!check.getAsBoolean()) {
      if (process.waitFor(POLL.toNanos(), TimeUnit.NANOSECONDS)) {
        return Outcome.ENDED;
      }
      if (time.elapsedNanos() - deadline > 0) {
        return Outcome.LATE;
      }
    }
    return Outcome.READY;
  }
}
