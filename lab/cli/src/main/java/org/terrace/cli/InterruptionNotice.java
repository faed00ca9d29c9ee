package org.terrace.cli;

import java.util.function.Supplier;

/**
 * The last line of a command whose work is kept when it is interrupted: what there is, and how it
 * goes on. Confined to one thread, but for the interrupt.
 */
final class InterruptionNotice implements AutoCloseable {
  private final Thread hook;

  /**
   * A notice that is given if the command is interrupted before it is closed.
   *
   * @param sentence asked when the interrupt has come, on a thread of its own
   */
  InterruptionNotice(Console console, Supplier<String> sentence) {
    hook = Thread.ofPlatform().unstarted(() -> console.last("Interrupted: %s", sentence.get()));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, and the notice is given.
      assert e != null;
    }
  }
}
