package org.terrace.seven;

import org.jspecify.annotations.Nullable;

/**
 * A reply of one of the seven services, which can be made longer: a record with two last components
 * that say nothing.
 *
 * @param <R> the record itself
 */
public interface Reply<R extends Record & Reply<R>> {

  /** The same reply with these texts of no meaning beside it; null adds no bytes. */
  R padded(@Nullable String padding, @Nullable String rest);
}
