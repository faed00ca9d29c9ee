package org.terrace.benchmarks.collections;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.process.Keeper;

/**
 * The processes that the benchmark has started. They end when their part takes too long, and for
 * good when the benchmark is interrupted; whoever waits for one then sees its end. Thread-safe.
 */
final class Processes {
  private static final int END_SECONDS = 3;

  /** The file of all that they write to standard error. */
  private final Path log;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  @GuardedBy("this")
  private final Set<Process> running = new HashSet<>();

  @GuardedBy("this")
  private @Nullable Limit limit;

  private final CountDownLatch interrupted = new CountDownLatch(1);

  Processes(Path log) {
    this.log = log;
  }

  /** The time that a part may take; what runs when it is over is killed. */
  final class Limit {
    private @Nullable ScheduledFuture<?> end;
    private boolean over;

    private Limit() {}

    private void end() {
      synchronized (Processes.this) {
        if (limit == this) {
          over = true;
          killAll();
        }
      }
    }

    /** Ends the part in time; whether it was over before, and its processes killed. */
    boolean lift() {
      synchronized (Processes.this) {
        limit = null;
        if (end != null) {
          end.cancel(false);
        }
        return over;
      }
    }
  }

  /** Begins a part that may take that long; the caller {@linkplain Limit#lift lifts} the limit. */
  synchronized Limit limit(Duration longest) {
    Limit begun = new Limit();
    limit = begun;
    begun.end = timer.schedule(begun::end, longest.toMillis(), TimeUnit.MILLISECONDS);
    return begun;
  }

  /** Starts a process whose standard error, and output if so wished, go to the log. */
  synchronized Process start(List<String> command, boolean logOutput) throws IOException {
    if (isEnding()) {
      throw new IOException("no process is started after the end");
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    if (logOutput) {
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }
    running.removeIf(process -> !process.isAlive());
    Process process = Keeper.ofThisProcess().start(builder);
    running.add(process);
    return process;
  }

  /** Asks processes to end, waits a little, and kills those that do not. */
  static void end(List<Process> processes) {
    processes.forEach(Process::destroy);
    awaitEnd(processes);
  }

  /** Waits a little until processes have ended, and kills those that have not. */
  static void awaitEnd(List<Process> processes) {
    try {
      for (Process process : processes) {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      processes.forEach(Process::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  /** Ends a process as a crash does. */
  static void kill(Process process) throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a server was killed");
    }
  }

  /** Whether everything of the part is being ended, so that waiting is in vain. */
  synchronized boolean isEnding() {
    return isInterrupted() || (limit != null && limit.over);
  }

  /** Kills all processes, and lets no more start. */
  synchronized void interrupt() {
    interrupted.countDown();
    killAll();
  }

  boolean isInterrupted() {
    return interrupted.getCount() == 0;
  }

  /**
   * Whether the benchmark is interrupted, now or in a moment: a terminal interrupts all processes
   * at once, so that a server's end may be seen first.
   */
  boolean isInterruptedSoon(Duration moment) {
    try {
      return interrupted.await(moment.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private synchronized void killAll() {
    for (Process process : new ArrayList<>(running)) {
      process.destroyForcibly();
    }
  }
}
