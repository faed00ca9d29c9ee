package org.terrace.board;

import java.io.PrintStream;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.core.TimeSource;

/**
 * The lines that tell of losses and returns of the database's servers: {@code replica HOST:PORT
 * lost EPOCHNANOS REASON} and {@code replica HOST:PORT returned EPOCHNANOS}. Thread-safe.
 */
final class ReplicaLines implements ReplicaListener {
  private final PrintStream out;
  private final TimeSource time;

  ReplicaLines(PrintStream out, TimeSource time) {
    this.out = out;
    this.time = time;
  }

  @Override
  public void lost(String replica, String reason) {
    String line = reason.replaceAll("\\s+", " ").strip();
    // In one piece, as the log writes to the same place.
    out.println("replica %s lost %d %s".formatted(replica, time.epochNanos(), line));
  }

  @Override
  public void returned(String replica) {
    out.println("replica %s returned %d".formatted(replica, time.epochNanos()));
  }
}
