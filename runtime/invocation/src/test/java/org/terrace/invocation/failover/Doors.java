package org.terrace.invocation.failover;

import org.terrace.invocation.Update;

/**
 * The service under test: each method lets somebody in, leaves a row that says whose request ran
 * where, and returns which replica ran it.
 */
public interface Doors {
  @Update
  String enter();

  /** The named replica stands still for ever with its effects written and not committed. */
  @Update
  String enterPausingBeforeCommit(String replica);

  /** The named replica stands still for ever with effects and reply committed, and none sent. */
  @Update
  String enterPausingBeforeReply(String replica);
}
