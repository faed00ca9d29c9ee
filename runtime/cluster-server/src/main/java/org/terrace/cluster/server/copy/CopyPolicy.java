package org.terrace.cluster.server.copy;

/** The servers whose data are replaced by a copy of another's, so that they can return. */
public enum CopyPolicy {
  /** No server. */
  NEVER,
  /** Servers that are empty, or were members and are too far behind for the recovery log. */
  BEHIND,
  /** The same, and servers whose data differ or are of an origin that is not known. */
  ALWAYS
}
