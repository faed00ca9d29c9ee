package org.terrace.protocols.server;

/** The protocol of a server, as far as it matters for the server's tier. */
public enum Protocol {
  /** HTTP/1.1. */
  HTTP,
  /** PostgreSQL's protocol, version 3. */
  POSTGRESQL,
  /** Encrypted or unknown. */
  OPAQUE
}
