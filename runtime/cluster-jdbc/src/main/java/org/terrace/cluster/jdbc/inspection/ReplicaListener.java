package org.terrace.cluster.jdbc.inspection;

/**
 * A listener to the losses and returns of a cluster's servers, and to the loss of its log. Called
 * by the thread that decides them, in their order, while the cluster decides nothing else: it must
 * not wait for anything. What it throws goes to the program's log.
 */
public interface ReplicaListener {
  /**
   * A server was taken out, or did not take part from the start.
   *
   * @param replica its host and port
   */
  void lost(String replica, String reason);

  /**
   * A server that was out has all that was committed meanwhile, and takes part again.
   *
   * @param replica its host and port
   */
  void returned(String replica);

  /** The recovery log takes nothing any more: what is written from now on is undone. */
  default void logFailed(String reason) {}
}
