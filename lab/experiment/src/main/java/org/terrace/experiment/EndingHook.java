package org.terrace.experiment;

import org.terrace.nodes.Supervisor;

/**
 * A shutdown hook that ends processes when the JVM ends before its work does; closed itself, it
 * does nothing.
 */
public final class EndingHook implements AutoCloseable {
  private final Thread hook;

  private EndingHook(Thread hook) {
    this.hook = hook;
  }

  /** Watches over a supervisor from now on. */
  public static EndingHook closing(Supervisor supervisor) {
    return running(supervisor::close);
  }

  /** Registers a task that runs when the JVM ends. */
  static EndingHook running(Runnable end) {
    Thread hook = Thread.ofPlatform().unstarted(end);
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
