package org.terrace.cluster.server.memory;

import java.sql.SQLException;
import org.terrace.cluster.core.SqlStates;

/** The failure of an owner whose epoch is old: a replica belongs to another process. */
@SuppressWarnings("serial")
public final class FencedException extends SQLException {
  private final String owner;

  /** A failure that names the new owner. */
  public FencedException(String owner) {
    super("The cluster belongs to " + owner + ".", SqlStates.READ_ONLY);
    this.owner = owner;
  }

  /** The new owner. */
  public String owner() {
    return owner;
  }
}
