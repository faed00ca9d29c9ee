package org.terrace.protocols.server;

/** What a server speaks, as far as it matters for its place. */
public enum Protocol {
  /** HTTP/1.1. */
  HTTP,
  /** PostgreSQL's protocol, version 3. */
  POSTGRESQL,
  /** Encrypted or unknown. */
  OPAQUE
}
