package org.terrace.cluster.jdbc.settings;

/** The ways to find the servers of a cluster when they were changed while it was open. */
public enum MembershipSource {
  /** As the servers remember: a URL that names others is refused. */
  REMEMBERED,
  /** As the URL says, from now on. */
  URL
}
