package org.terrace.experiment;

import java.util.List;

/**
 * The ways in which the servers of a clustered database are kept the same. Immutable.
 *
 * @param strategy the moment at which a commit is answered, such as {@code wait-all}
 * @param scheduler the writes that wait for each other, {@code table} or {@code serial}
 */
public record Replication(String strategy, String scheduler) {
  /** A commit is answered when all servers have committed. */
  public static final String WAIT_ALL = "wait-all";

  /** Writes to the same tables wait for each other. */
  public static final String TABLE = "table";

  /** All strategies. */
  public static final List<String> STRATEGIES = List.of(WAIT_ALL, "wait-first", "majority");

  /** All schedulers, those that a specification cannot have yet among them. */
  public static final List<String> SCHEDULERS = List.of("serial", TABLE, "key");

  /** The ways that hold where a specification names none. */
  public static final Replication USUAL = new Replication(WAIT_ALL, TABLE);

  /** Whether the runtime has a scheduler. */
  public static boolean hasScheduler(String scheduler) {
    return !scheduler.equals("key");
  }
}
