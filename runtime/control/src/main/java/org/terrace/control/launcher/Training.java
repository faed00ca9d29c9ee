package org.terrace.control.launcher;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The mode of a replica that a launcher started for training: it does what a replica does until it
 * would register with a manager, and then ends in an orderly way. Thread-safe.
 */
public final class Training {
  /** The environment variable by which a launcher tells its replica. */
  static final String VARIABLE = "TERRACE_TRAINING";

  /** The time that a program has, once it exports a service, for the rest of its start. */
  private static final long REST_MILLIS = 200;

  private static final AtomicBoolean ENDING = new AtomicBoolean();

  private Training() {}

  /** Whether it is. */
  public static boolean isOn() {
    return Boolean.parseBoolean(System.getenv(VARIABLE));
  }

  /** Ends the process soon. */
  public static void end() {
    if (ENDING.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("end-of-training").start(Training::exitSoon);
    }
  }

  private static void exitSoon() {
    try {
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.exit(0);
  }
}
