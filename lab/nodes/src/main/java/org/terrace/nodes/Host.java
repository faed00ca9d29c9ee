package org.terrace.nodes;

import java.io.IOException;
import java.util.List;
import org.terrace.nodes.NodeSpecification.Readiness;

/**
 * A machine, or a part of one such as a network namespace, on which nodes of a trial run. What it
 * starts ends with the process that asked for it, however that ends. Thread-safe.
 */
public interface Host {
  /** The name of the host, for people. */
  String name();

  /**
   * Starts a process in a session of its own. Its output and its errors are one stream.
   *
   * @throws IOException if it cannot be started there
   */
  Process start(Launch launch) throws IOException;

  /**
   * The numbers of a process and of what it started, as the host counts them, the process first.
   *
   * @param process one that this host started
   * @param forks whether what it started belongs to it
   */
  List<Long> members(Process process, boolean forks);

  /** Signals a process, and what it started if that belongs to it; false when none is left. */
  boolean signal(Process process, boolean forks, Signal signal);

  /**
   * Kills a process, also when it is stopped, and what it started if that belongs to it: then the
   * process is stopped beforehand, so that none escapes. Does not wait for the end.
   */
  void kill(Process process, boolean forks);

  /** Whether somebody accepts connections at a place, asked for on the host. */
  boolean answers(Readiness.Port place);

  /** Whether a GET is answered with a status from 200 to 299, asked for on the host. */
  boolean answers(Readiness.Http place);

  /** The places at which a process listens, as {@code address:port}, in order. */
  List<String> listening(Process process, boolean forks);
}
