package org.terrace.invocation.retention.oracle;

import org.terrace.invocation.Update;

/** The service under test: each call has an effect that can be counted. */
public interface Accounts {
  /** The code of a refusal. */
  String UNLUCKY = "unlucky";

  /** The multiples of this amount are refused, after they were written. */
  int UNLUCKY_AMOUNT = 7;

  /**
   * Adds an amount to an account, and returns the account's new balance.
   *
   * @param caller whose call it is, told apart by its log
   * @param call which of the caller's calls
   */
  @Update
  long add(int account, long amount, long caller, long call);
}
