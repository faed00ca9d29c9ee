package org.terrace.cluster.server.connection;

/** The doing of a server for one of its sessions. */
public enum SessionActivity {
  /** Work on a statement, a wait for a lock, or anything that the server does not tell. */
  WORKS,
  /** A wait until the client has taken more of an answer. */
  SENDS,
  /** A wait for a request, or for the rest of one. */
  WAITS,
  /** The absence of such a session from those that the server lists. */
  ABSENT
}
