package org.terrace.load;

import java.util.List;

/**
 * Sends users to their pages when they are due. A user who thinks has no thread: each page is a
 * fresh virtual thread, whose stack is gone before a collector could meet it. So thinking users
 * cost the kilobyte of their own state, and a collection does not copy thousands of parked stacks.
 */
sealed interface Dispatcher permits ClosedDispatcher, OpenDispatcher {
  /** Dispatches until the load stops or the thread is interrupted; on a thread of its own. */
  void dispatch();

  /** Every user there is. */
  List<EmulatedUser> users();

  /** Users who have been sent to a page at least once. */
  int usersBegun();

  /** Requests that were to be sent in the run phase; zero where that depends on the service. */
  long scheduledInRun();

  /** Requests that were due and were never sent. */
  long dropped();

  /**
   * The requests of each burst that was planned as a fault, in the order of the plan; empty where
   * they are not measured. Called once, when the load has stopped.
   */
  List<BurstOffer> offeredInBursts();
}
