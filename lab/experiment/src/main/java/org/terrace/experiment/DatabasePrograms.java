package org.terrace.experiment;

import java.util.Optional;
import org.terrace.hosts.NdbLikePackages;

/** The database systems that this machine has the programs of. Stateless. */
public final class DatabasePrograms {
  private DatabasePrograms() {}

  /**
   * A sentence about what this machine lacks to run a database, and the way to it; empty when it
   * lacks nothing.
   *
   * @param database its name in a specification
   */
  public static Optional<String> lacking(String database) {
    return database.equals(Experiment.NDB_LIKE) ? NdbLikePackages.lacking() : Optional.empty();
  }
}
