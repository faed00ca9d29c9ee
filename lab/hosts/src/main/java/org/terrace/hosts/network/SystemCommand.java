package org.terrace.hosts.network;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Keeper;
import org.terrace.nodes.ProcessTree;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Signals;

/**
 * A short command of the system that is run to its end, within {@value #WITHIN_SECONDS} seconds and
 * {@value #MOST_OUTPUT_BYTES} bytes of output; beyond, it is killed with all that it started.
 * Stateless.
 */
public final class SystemCommand {
  static final long WITHIN_SECONDS = 20;
  static final int MOST_OUTPUT_BYTES = 1 << 20;

  /** The output that a message has room for. */
  private static final int MESSAGE_BYTES = 2_000;

  /** The exit status by which a shell says that there is no such program. */
  private static final int NOT_FOUND = 127;

  private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(1);

  private SystemCommand() {}

  /**
   * Runs a command.
   *
   * @param what what it is for, to complete the sentence "cannot ..."
   * @param goodPackage the Debian package that has the program
   * @throws TerraceException if it fails, with what it said
   */
  public static void run(String what, String goodPackage, String... command) {
    run(Duration.ofSeconds(WITHIN_SECONDS), what, goodPackage, List.of(command));
  }

  static void run(Duration within, String what, String goodPackage, List<String> command) {
    Process process;
    try {
      process =
          Keeper.ofThisProcess().startApart(new ProcessBuilder(command).redirectErrorStream(true));
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "cannot %s: '%s' cannot be started (%s)"
              .formatted(what, String.join(" ", command), e.getMessage()),
          e);
    }
    Output output = new Output(process);
    Thread reader = Thread.ofVirtual().start(output);
    try {
      if (!process.waitFor(within.toNanos(), TimeUnit.NANOSECONDS)) {
        kill(process);
        throw failure(
            what, command, "it did not end within " + within.toMillis() + " ms" + output.said());
      }
      if (!reader.join(LAST_WORDS_WITHIN)) {
        kill(process); // something that it started lives on, and has its output
      }
    } catch (InterruptedException e) {
      kill(process);
      Thread.currentThread().interrupt();
      throw failure(what, command, "interrupted");
    }
    if (output.isTooLong()) {
      throw failure(
          what, command, "it printed more than " + MOST_OUTPUT_BYTES + " bytes" + output.said());
    }
    int status = process.exitValue();
    if (status != 0) {
      String remedy =
          status == NOT_FOUND ? "; install it with: sudo apt-get install " + goodPackage : "";
      throw failure(what, command, "exit status " + status + output.said() + remedy);
    }
  }

  /** Kills a command and all that it started. */
  private static void kill(Process process) {
    long root = process.pid();
    if (process.isAlive()) {
      Signals.send(root, Signal.STOP); // what is stopped starts nothing more
      for (long member : ProcessTree.members(root)) {
        Signals.send(member, Signal.KILL);
      }
    }
    // Those whose parents have ended are nobody's children, but still of its group.
    Signals.sendGroup(root, Signal.KILL);
  }

  private static TerraceException failure(String what, List<String> command, String why) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "cannot %s: '%s' failed (%s)".formatted(what, String.join(" ", command), why));
  }

  /** The output of a command, of which the beginning is kept. Thread-safe. */
  private static final class Output implements Runnable {
    private final Process process;
    private final byte[] kept = new byte[MESSAGE_BYTES];
    private long bytes;

    Output(Process process) {
      this.process = process;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[MESSAGE_BYTES];
      try (InputStream in = process.getInputStream()) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (!take(buffer, read)) {
            kill(process);
            return;
          }
        }
      } catch (IOException e) {
        assert e != null; // it was killed
      }
    }

    private synchronized boolean take(byte[] buffer, int count) {
      int room = (int) Math.max(0, MESSAGE_BYTES - bytes);
      System.arraycopy(
          buffer, 0, kept, (int) Math.min(bytes, MESSAGE_BYTES), Math.min(room, count));
      bytes += count;
      return bytes <= MOST_OUTPUT_BYTES;
    }

    synchronized boolean isTooLong() {
      return bytes > MOST_OUTPUT_BYTES;
    }

    /** The beginning of what it said, to follow a clause; empty if it said nothing. */
    synchronized String said() {
      String text =
          new String(kept, 0, (int) Math.min(bytes, MESSAGE_BYTES), StandardCharsets.UTF_8).strip();
      return text.isEmpty() ? "" : "; it said: " + text;
    }
  }
}
