package org.terrace.invocation.managed;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;

/** A service for tests. */
public interface Clock {
  /** The name of the replica that answers. */
  @Read
  String whoAnswers();

  /** Counts one more and says how many. */
  @Update
  long count();
}
