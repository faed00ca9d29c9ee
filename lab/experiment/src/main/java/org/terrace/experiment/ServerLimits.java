package org.terrace.experiment;

import java.util.List;

/** Holds servers to the CPU time they may use. */
interface ServerLimits extends AutoCloseable {

  /**
   * The command that starts a server under its limit.
   *
   * @param cores the CPU seconds it may use a second
   * @param command the command that starts it without
   */
  List<String> limited(String server, double cores, List<String> command);


  @Override
  void close();
}
