package org.terrace.capture;

/**
 * Closes a capture when the JVM shuts down before its owner did, so that Ctrl-C and SIGTERM leave a
 * whole file. Thread-safe.
 */
final class ShutdownClose {
  private final Thread hook;

  ShutdownClose(PacketCapture capture) {
    this.hook = Thread.ofPlatform().name("close-capture").unstarted(capture::close);
  }

  void register() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Takes the hook away, unless it is this very shutdown that closes the capture. */
  void unregister() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook runs, and closing a second time does nothing.
      return;
    }
  }

  /** Waits for a thread to end; an interruption is kept for the caller. */
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
