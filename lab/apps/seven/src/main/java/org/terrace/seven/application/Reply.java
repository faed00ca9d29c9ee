package org.terrace.seven.application;

import org.jspecify.annotations.Nullable;

/**
 * A reply of one of the seven services that can be made longer: a record whose last two components
 * are texts without meaning, null unless {@link Padding} fills them.
 */
public interface Reply {

  /** The last component but one. */
  @Nullable String padding();

  /** The last component, for the one size that a single text cannot have. */
  @Nullable String rest();
}
