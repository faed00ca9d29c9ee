package org.terrace.invocation.retention;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A replica among those of its service. Immutable.
 *
 * @param self its name, by which the others find its sessions in the database
 * @param silent the names of those others that give no sign of life now; asked only while a call
 *     takes long, and may take a while
 */
public record Peers(String self, Supplier<? extends Collection<String>> silent) {
  /** Refuses absent parts. */
  public Peers {
    Objects.requireNonNull(self);
    Objects.requireNonNull(silent);
  }

  /** A replica that nobody knows by name, and that knows of no others. */
  public static Peers none() {
    return new Peers("", List::of);
  }
}
