package org.terrace.middleware.ejb;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps what OpenEJB tells of each start and each lost connection out of a program's log. */
final class EjbLogs {
  /** Held, since the log manager forgets the level of a logger that nobody holds. */
  private static final List<Logger> LOGS =
      List.of(
          Logger.getLogger("OpenEJB"),
          Logger.getLogger("OpenEJB.client"),
          Logger.getLogger("org.apache.webbeans"));

  /**
   * A loss that a channel reports to its caller; each background check of a lost replica is one.
   */
  private static final Logger EVENTS = Logger.getLogger("org.apache.openejb.client.event");

  private EjbLogs() {}

  /** Lets errors through alone, unless the program has set a level itself. */
  static void quieten() {
    for (Logger log : LOGS) {
      if (log.getLevel() == null) {
        log.setLevel(Level.SEVERE);
      }
    }
    if (EVENTS.getLevel() == null) {
      EVENTS.setLevel(Level.OFF);
    }
  }
}
