package org.terrace.protocols.server;

/** The role of a protocol's servers, as far as it matters for their tier. */
public enum ServerRole {
  /** A web or application server. */
  SERVICE,
  /** A database. */
  DATABASE,
  /** A cache beside a database. */
  CACHE,
  /** A role that is not known. */
  UNKNOWN
}
