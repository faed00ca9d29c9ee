package org.terrace.cluster.controller.proof;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The processes between the clients of a proof and its servers: one that owns the cluster, or that
 * and one that stands by. Each that is started opens the cluster by another URL, with other
 * options. For one thread.
 */
interface ProofDeployment extends AutoCloseable {
  /** Starts all processes, and the clients if there are none. */
  void start() throws IOException, InterruptedException;

  /** Kills all processes that may own the cluster. */
  void kill() throws IOException, InterruptedException;

  /** Kills the one that owns the cluster, and has another own it. */
  void replaceOwner() throws IOException, InterruptedException;

  /** Stops the one that owns the cluster, as a machine that is suspended does. */
  void pauseOwner() throws IOException;

  /** Lets it go on. */
  void resumeOwner() throws IOException;

  /**
   * Cuts a client's connection inside its next COMMIT, before the request arrives or before the
   * answer does.
   *
   * @return says whether that has been done; at once if clients have no connection that can be cut
   */
  BooleanSupplier cutClient(boolean answer);

  /** Lets clients come to an end if they can; those of a killed process end with it. */
  void endClients() throws InterruptedException;

  @Override
  void close() throws IOException;
}
