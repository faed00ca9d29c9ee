package org.terrace.core;

/**
 * A source of time: the only way production code reads a clock, so that a test or the simulator can
 * pass its own.
 *
 * <p>Implementations are thread-safe. Reading costs tens of nanoseconds and allocates at most one
 * short-lived object.
 */
public interface TimeSource {

  /**
   * The wall clock: nanoseconds since the Unix epoch. It may step when the operating system's clock
   * is set; its resolution is that of the platform (one microsecond or better on Linux).
   */
  long epochNanos();

  /**
   * The monotonic clock: nanoseconds since an arbitrary origin that is fixed for the life of the
   * process. Only differences of two readings mean something.
   */
  long elapsedNanos();

  /** The clocks of this machine. */
  static TimeSource system() {
    return SystemTimeSource.INSTANCE;
  }
}
