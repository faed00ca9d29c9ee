package org.terrace.benchmarks.invocation;

import org.terrace.invocation.Read;

/** The service of the calls that are measured. */
public interface Echo {
  /** Gives the bytes back. */
  @Read
  byte[] echo(byte[] bytes);
}
