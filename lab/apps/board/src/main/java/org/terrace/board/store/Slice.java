package org.terrace.board.store;

import java.util.List;

/**
 * One page of a list that may go on.
 *
 * @param items what is on this page
 * @param page its number, from 0
 * @param more whether another page follows
 */
public record Slice<T>(List<T> items, int page, boolean more) {
  public Slice {
    items = List.copyOf(items);
  }

  /** The page made of what a query gave that asked for one item more than a page has. */
  static <T> Slice<T> of(List<T> found, int page, int size) {
    boolean more = found.size() > size;
    return new Slice<>(more ? found.subList(0, size) : found, page, more);
  }
}
