package org.terrace.databases.ndblike;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ReadyWait;

/** The process that has a vote in a node group and no data. Confined to one thread. */
public final class Arbitrator implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final int LONGEST_STOP_SECONDS = 10;
  private static final int CONNECT_MILLIS = 1_000;

  private final String address;
  private final int port;
  private final List<String> command;
  private @Nullable Process process;

  Arbitrator(String address, int port, List<String> command) {
    this.address = address;
    this.port = port;
    this.command = List.copyOf(command);
  }

  /** The command that starts it in the foreground. */
  public List<String> command() {
    return command;
  }

  /** Starts it and returns when it takes connections of its group. */
  public void start() {
    try {
      Process started =
          Keeper.ofThisProcess()
              .startApart(
                  new ProcessBuilder(command)
                      .directory(Path.of("/").toFile())
                      .redirectErrorStream(true)
                      .redirectOutput(ProcessBuilder.Redirect.DISCARD));
      process = started;
      if (ReadyWait.until(this::isReady, started, LONGEST_START, TimeSource.system())
          != ReadyWait.Outcome.READY) {
        close();
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "The arbitrator at %s:%d did not join its node group; it ran as: %s"
                .formatted(address, port, String.join(" ", command)));
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot start the arbitrator: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(ErrorCode.CHECK_FAILED, "Interrupted while starting", e);
    }
  }

  /** Whether it takes connections of its group. */
  public boolean isReady() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends what {@link #start()} started; does nothing when it is not running. */
  @Override
  public void close() {
    Process running = process;
    process = null;
    if (running == null) {
      return;
    }
    running.destroy();
    try {
      if (!running.waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS)) {
        running.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
