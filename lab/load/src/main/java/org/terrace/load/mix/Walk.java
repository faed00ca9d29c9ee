package org.terrace.load.mix;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The state of one user in a {@link TransitionTable}, and the pages the user may go back to.
 * Confined to one thread.
 */
public final class Walk {
  /** Pages remembered; of more, the oldest is forgotten. RUBBoS's users rarely have ten. */
  static final int HISTORY_LIMIT = 128;

  private final TransitionTable table;
  private final Deque<Page> history = new ArrayDeque<>(4);
  private Page page;

  /** A walk that stands before its first page. */
  public Walk(TransitionTable table) {
    this.table = table;
    this.page = new Page(table.start(), null);
  }

  /**
   * A page that the user has seen.
   *
   * @param state its state
   * @param address the address that gets it again, or null when it was the answer to a form that
   *     nobody would send twice
   */
  public record Page(int state, @Nullable String address) {}

  public TransitionTable table() {
    return table;
  }

  /** The state of the page that the user is at. */
  public int state() {
    return page.state();
  }

  /** Draws the next move from here; the walk stays where it is. */
  public int draw(RandomGenerator random) {
    return table.draw(page.state(), random);
  }

  /** Moves on to a page by a link or a form. */
  public void enter(Page entered) {
    if (table.backProbability(entered.state()) > 0) {
      if (history.size() == HISTORY_LIMIT) {
        history.removeFirst();
      }
      history.addLast(page);
    } else {
      history.clear();
    }
    page = entered;
  }

  /** Returns to the page before and tells it; null, and no move, when none is remembered. */
  public @Nullable Page back() {
    Page before = history.pollLast();
    if (before != null) {
      page = before;
    }
    return before;
  }

  /** Starts again at the first state, with nothing to go back to. */
  public void restart(String address) {
    history.clear();
    page = new Page(table.start(), address);
  }
}
