package org.terrace.cluster.server.connection;

/** The doing of a server for one of its sessions. */
public enum SessionActivity {
  /** It executes something, waits for a lock, or does not tell. */
  WORKS,
  /** It waits until the client has taken more of an answer. */
  SENDS,
  /** It waits for a request, or for the rest of one, or has no such session. */
  WAITS
}
