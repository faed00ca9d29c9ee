package org.terrace.core;

/**
 * The kind of an operating failure, which decides the exit code of the {@code terrace} command.
 *
 * <p>Immutable and thread-safe.
 */
public enum ErrorCode {
  /** The work was done, but something failed its check: exit code 1. */
  CHECK_FAILED(1),
  /** An input (file, flag, specification, capture) is wrong: exit code 2. */
  BAD_INPUT(2),
  /** The machine lacks a right, a program or a resource: exit code 3. */
  MACHINE_LACKS(3);

  private final int exitCode;

  ErrorCode(int exitCode) {
    this.exitCode = exitCode;
  }

  /** The exit code of a command that ends with this failure, 1 to 3. */
  public int exitCode() {
    return exitCode;
  }
}
