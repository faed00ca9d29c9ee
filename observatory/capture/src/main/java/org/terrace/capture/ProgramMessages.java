package org.terrace.capture;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.terrace.core.process.ReadyWait;

/**
 * The messages of a capturing program on its standard error, read to the end by a virtual thread:
 * when it is ready, its drop count, and its last lines for an error message. Thread-safe.
 */
final class ProgramMessages {
  private static final int LINES_KEPT = 20;

  private final CaptureProgram program;
  private final Process process;
  private final ReadyWait ready;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread reader;
  private volatile long dropped;

  ProgramMessages(CaptureProgram program, Process process) {
    this.program = program;
    this.process = process;
    this.ready = new ReadyWait(process, program::saysReady);
    this.reader = Thread.ofVirtual().name(program.program() + "-messages").start(this::read);
  }

  /** Waits until the program captures; false when it ended first or takes longer. */
  boolean awaitReady(long timeoutSeconds) {
    try {
      return ready.await(Duration.ofSeconds(timeoutSeconds)) == ReadyWait.Outcome.READY;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits for the last line and tells how many packets the program lost. */
  long dropped() {
    ShutdownClose.join(reader);
    return dropped;
  }

  /** The last lines, in one. */
  String text() {
    synchronized (lastLines) {
      return lastLines.isEmpty() ? "it said nothing" : String.join("; ", lastLines);
    }
  }

  private void read() {
    try (BufferedReader lines = process.errorReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line.strip());
        program.drops(line).ifPresent(count -> dropped = count);
        ready.heard(line);
      }
    } catch (IOException e) {
      keep(e.toString());
    } finally {
      ready.outputEnded();
    }
  }

  private void keep(String line) {
    synchronized (lastLines) {
      if (lastLines.size() == LINES_KEPT) {
        lastLines.removeFirst();
      }
      lastLines.addLast(line);
    }
  }
}
