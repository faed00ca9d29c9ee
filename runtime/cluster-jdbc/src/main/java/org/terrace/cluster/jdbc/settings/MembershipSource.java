package org.terrace.cluster.jdbc.settings;

/** The ways to find the servers of a cluster when they were changed while it was open. */
public enum MembershipSource {
  /** The memory of the servers: a URL that names others is refused. */
  REMEMBERED,
  /** The URL, from now on. */
  URL
}
