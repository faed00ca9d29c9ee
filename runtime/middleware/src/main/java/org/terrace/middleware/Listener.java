package org.terrace.middleware;

/** A replica's open door. Closing it ends its connections; calls under way are given no reply. */
public interface Listener extends AutoCloseable {

  /** Where it is reached, as the replica of the given name. */
  Endpoint endpoint(String replica);

  @Override
  void close();
}
