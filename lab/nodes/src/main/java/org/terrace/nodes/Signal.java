package org.terrace.nodes;

/** A signal of POSIX, with its number on Linux. */
public enum Signal {
  /** Interrupts; asks PostgreSQL to end without waiting for its clients. */
  INT(2),
  /** Ends a process that does not want to. */
  KILL(9),
  /** Asks a process to end. */
  TERM(15),
  /** Lets a stopped process go on. */
  CONT(18),
  /** Stops a process where it is. */
  STOP(19);

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  /** Whether a process ends by it that does not object. */
  boolean ends() {
    return this != CONT && this != STOP;
  }

  int number() {
    return number;
  }
}
