package org.terrace.control.naming;

import java.util.Objects;
import org.terrace.control.ServiceReference;

/**
 * The value that the naming service keeps under a name: the reference that clients get, and what
 * the next replication manager needs to go on with the work of the present one.
 *
 * @param reference where the service is
 * @param term the term of the manager that wrote it; a manager of an earlier term cannot replace it
 * @param degree how many replicas the service is to have, 0 or more
 */
public record Registration(ServiceReference reference, long term, int degree) {

  /** Refuses negative numbers. */
  public Registration {
    Objects.requireNonNull(reference);
    if (term < 0 || degree < 0) {
      throw new IllegalArgumentException(
          "Term and degree of " + reference.service() + " are not negative.");
    }
  }

  /** The name. */
  public String service() {
    return reference.service();
  }

  /** The reference's version, which grows by one with each change. */
  public long version() {
    return reference.version();
  }
}
