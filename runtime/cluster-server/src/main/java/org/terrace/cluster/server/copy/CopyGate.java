package org.terrace.cluster.server.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * The exclusion of definitions and copies: a copy keeps the tables of its donor as they are, so
 * that a definition would wait there for its end while all other replicas have done it. So a
 * definition cuts off the copies, which begin again behind it. Thread-safe.
 */
public final class CopyGate {
  private final Set<Connection> donors = new HashSet<>();
  private int definitions;

  /** Cuts off all copies, and lets none begin until {@link #definitionEnded}. */
  public synchronized void definitionBegins() throws SQLException {
    definitions++;
    for (Connection donor : donors) {
      donor.abort(Runnable::run);
    }
    donors.clear();
  }

  /** Lets copies begin again, if no other definition is under way. */
  public synchronized void definitionEnded() {
    definitions--;
  }

  /** Lets a copy begin over a connection to its donor; false: a definition is under way. */
  public synchronized boolean begin(Connection donor) {
    return definitions == 0 && donors.add(donor);
  }

  /** A copy is over; false: a definition has cut it off. */
  public synchronized boolean end(Connection donor) {
    return donors.remove(donor);
  }
}
