package org.terrace.control.manager;

import java.io.IOException;
import java.time.Duration;
import org.terrace.control.link.Link;

/** The making of a link to a manager, which is tried again and again. */
@FunctionalInterface
interface ManagerContact {
  /**
   * A new link.
   *
   * @throws IOException if the manager cannot be reached now
   */
  Link connect(Duration timeout) throws IOException;
}
