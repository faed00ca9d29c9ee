package org.terrace.cluster.server.memory;

import java.util.UUID;

/**
 * The numbers of a cluster's openings, from 1, each greater than all that the servers remember. The
 * upper bits of a view's number are that of its opening, and the first 48 of a log's identity that
 * of the opening in which the log began (a UUID of version 8, RFC 9562), so that a server and a log
 * tell which of the two is older, whoever else there is to ask. Stateless.
 */
public final class Openings {
  /** An owner that has more views goes on into the next number, which nobody notices. */
  private static final int VIEW_BITS = 20;

  private static final int LOG_BITS = 16;
  private static final long LOG_VERSION = 0x8000;
  private static final long LOG_RANDOM = 0x0FFF;
  private static final int VERSION = 8;

  private Openings() {}

  /** The first view of an opening of servers whose greatest view is this. */
  public static long firstViewAfter(long view) {
    return (of(view) + 1) << VIEW_BITS;
  }

  /** The opening that a view is of. */
  static long of(long view) {
    return view >>> VIEW_BITS;
  }

  /**
   * An identity for a log that begins in the opening of a view.
   *
   * @param random what tells it from all others
   */
  public static UUID identityOfLog(long view, UUID random) {
    long first =
        (of(view) << LOG_BITS) | LOG_VERSION | (random.getMostSignificantBits() & LOG_RANDOM);
    return new UUID(first, random.getLeastSignificantBits());
  }

  /**
   * Whether a log's identity tells in which opening it began. One of an earlier version does not;
   * its owner had servers forget up to numbers that were never in it, which are told from the end
   * of a log that is lost by nothing, and may be given again.
   */
  public static boolean tellsBeginning(UUID identity) {
    return identity.version() == VERSION;
  }

  /** The opening in which a log began; 0: its identity does not tell. */
  static long ofLog(String identity) {
    try {
      UUID parsed = UUID.fromString(identity);
      return tellsBeginning(parsed) ? parsed.getMostSignificantBits() >>> LOG_BITS : 0;
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }
}
