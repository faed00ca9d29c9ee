package org.terrace.nodes;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A small process that outlives this one and ends every process of the trial when this one is gone,
 * even by SIGKILL: it reads a pipe whose other end only this process holds, and the end of the pipe
 * is the death of the runner. It is a POSIX shell in a session of its own, so that a Ctrl-C at the
 * terminal does not reach it.
 *
 * <p>Thread-safe.
 */
final class Keeper implements AutoCloseable {
  /** The variable in the environment of every process of a trial. */
  static final String MARK = "TERRACE_TRIAL";

  private static final long CLOSE_SECONDS = 20;

  private final Process process;
  private final BufferedWriter lines;

  private Keeper(Process process) {
    this.process = process;
    this.lines = process.outputWriter(StandardCharsets.UTF_8);
  }

  static Keeper start(String mark) {
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "sh", "-c", script(), "terrace-keeper", mark);
    builder.directory(Path.of("/").toFile());
    builder.environment().remove(MARK);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      return new Keeper(builder.start());
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the commands setsid and sh cannot be started ("
              + e.getMessage()
              + "); they are in Debian's packages util-linux and dash",
          e);
    }
  }

  private static String script() {
    try (InputStream stream = Keeper.class.getResourceAsStream("keeper.sh")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void add(long pid, long startTicks) {
    tell("add " + pid + " " + startTicks);
  }

  void remove(long pid) {
    tell("remove " + pid);
  }

  /** Removes an empty directory at the end: a control group, which outlives its processes. */
  void removeDirectory(Path directory) {
    tell("directory " + directory);
  }

  private synchronized void tell(String line) {
    try {
      lines.write(line + "\n");
      lines.flush();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "the keeper, process "
              + process.pid()
              + ", has ended before the trial did: without it nothing ends the servers if the"
              + " trial is killed; start the trial again",
          e);
    }
  }

  /** Ends what is left of the trial, and then the keeper itself. */
  @Override
  public synchronized void close() {
    try {
      lines.close();
    } catch (IOException e) {
      // The keeper is gone already, which is what closing it is for.
      process.destroyForcibly();
    }
    try {
      if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
