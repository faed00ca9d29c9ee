package org.terrace.cluster.jdbc.settings;

/** The servers whose data are replaced by a copy of another's, so that they can return. */
public enum CopyPolicy {
  /** None. */
  NEVER,
  /** Those that are empty, or were members and are too far behind for the recovery log. */
  BEHIND,
  /** Those as well whose data differ, or are of an origin that is not known. */
  ALWAYS
}
