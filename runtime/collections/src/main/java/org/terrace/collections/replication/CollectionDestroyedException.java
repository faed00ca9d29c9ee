package org.terrace.collections.replication;

/**
 * The refusal of a call on a collection that was destroyed, on this replica or another, or that is
 * being destroyed. Nothing was read or made.
 */
public final class CollectionDestroyedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** A refusal with a message that names the collection, its fate and the next step. */
  public CollectionDestroyedException(String message) {
    super(message);
  }
}
