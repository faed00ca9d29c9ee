package org.terrace.middleware;

/**
 * The address at which a replica accepts calls, open until it is closed. Closing it ends its
 * connections; calls under way are given no reply.
 */
public interface Listener extends AutoCloseable {

  /** The endpoint at which it is reached, as the replica of the given name. */
  Endpoint endpoint(String replica);

  @Override
  void close();
}
