package org.terrace.experiment;

import org.terrace.nodes.Supervisor;

/**
 * A shutdown hook that closes a supervisor when the JVM ends before its work does; closed itself,
 * it does nothing.
 */
public final class EndingHook implements AutoCloseable {
  private final Thread hook;

  private EndingHook(Thread hook) {
    this.hook = hook;
  }

  /** Watches over a supervisor from now on. */
  public static EndingHook closing(Supervisor supervisor) {
    Thread hook = Thread.ofPlatform().unstarted(supervisor::close);
    Runtime.getRuntime().addShutdownHook(hook);
    return new EndingHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, and the hook does its work.
      assert e != null;
    }
  }
}
