package org.terrace.invocation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call that came to no reply within its deadline and attempts; {@link #outcome()} says whether it
 * may have taken effect.
 */
public final class InvocationException extends RuntimeException {
  private final Outcome outcome;

  /** A failed call; its outcome is not {@link Outcome#DONE}. */
  public InvocationException(Outcome outcome, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.outcome = Objects.requireNonNull(outcome);
    if (outcome == Outcome.DONE) {
      throw new IllegalArgumentException("A call that was done has not failed.");
    }
  }

  /** Whether the call may have taken effect: any outcome but {@link Outcome#DONE}. */
  public Outcome outcome() {
    return outcome;
  }
}
