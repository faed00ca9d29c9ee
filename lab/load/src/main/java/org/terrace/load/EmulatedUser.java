package org.terrace.load;

import java.util.SplittableRandom;
import org.terrace.load.Browser.Visit;
import org.terrace.load.RowFormat.PageFacts;
import org.terrace.load.RowFormat.PageTimes;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.ThinkTime;
import org.terrace.load.mix.TransitionTable;
import org.terrace.load.mix.Walk;
import org.terrace.load.page.BoardForms;
import org.terrace.load.page.Link;
import org.terrace.observation.Outcome;

/**
 * One emulated user: walks the mix's table page by page, session after session. One thread at a
 * time acts for it, and hands it to the next through the {@link Dispatcher}; {@link #abort} and
 * {@link #expire} are for any thread.
 *
 * <p>The next move is drawn before a page arrives, so that reading the page has to keep one link
 * only. A page that does not offer the state that was drawn sends the user to the start page by its
 * address: a detour, which is counted. So does a failed page, and going back to the answer to a
 * form. At the end of a session cookies and connection go, and the next page is the start page of a
 * new session with another account.
 *
 * <p>With a mix of requests of one's own, what is asked next is drawn by the weights whatever the
 * answer was; a connection that broke ends the session, and the next goes to the next target.
 */
final class EmulatedUser {
  private final LoadContext context;
  private final int number;
  private final SplittableRandom random;
  private final Browser browser;
  private final String startAddress;

  private Walk walk;
  private BoardForms forms;
  private int session;
  private Link next;
  private int move;
  private ThinkTime thinkAfter = ThinkTime.RUBBOS;
  private long freeNanos;

  /**
   * A user about to ask for its first page.
   *
   * @param number its number, from zero
   * @param random its own generator
   */
  EmulatedUser(LoadContext context, int number, SplittableRandom random) {
    this.context = context;
    this.number = number;
    this.random = random;
    this.browser = new Browser(context, context.source(number), context.target(number, 0));
    String path = context.target(number, 0).getRawPath();
    this.startAddress = path.isEmpty() ? "/" : path;
    this.next = Link.get(startAddress);
    this.walk = new Walk(context.mix().user());
    this.forms = new BoardForms(random, context.names(), false);
    this.freeNanos = context.clock().elapsedNanos();
    startSession();
  }

  /** Ends a page under way, and any later one. */
  void abort() {
    browser.abort();
  }

  /** Ends a page whose time was over at the given moment. */
  void expire(long nowNanos) {
    browser.expire(nowNanos);
  }

  /** Closes the user's connection. */
  void leave() {
    browser.disconnect();
  }

  /**
   * The time at which the last page had ended, on the monotonic clock; the user is free since then.
   */
  long freeNanos() {
    return freeNanos;
  }

  /** Its number, from zero. */
  int number() {
    return number;
  }

  /** Draws how long the user thinks after the last page. */
  long drawThinkNanos() {
    return thinkAfter.sampleNanos(random);
  }

  /** The think time after the last page, before the next is asked for. */
  ThinkTime thinkTime() {
    return thinkAfter;
  }

  /**
   * Asks for the next page and waits for it.
   *
   * @param dueNanos when the user was to do so, on the monotonic clock
   * @return false, with nothing done, when the load has stopped
   */
  boolean visit(long dueNanos) {
    context.inFlight().incrementAndGet();
    try {
      if (context.stopping()) {
        return false;
      }
      int state = walk.state();
      TransitionTable table = walk.table();
      move = walk.draw(random);
      thinkAfter = context.meter().think(table, state);
      String wanted = move >= 0 ? table.states().get(move) : null;
      long start = context.clock().elapsedNanos();
      Visit visit =
          browser.visit(
              next,
              drawsRequests()
                  ? new Browser.Search(null, null, random, forms)
                  : new Browser.Search(table.states().get(state), wanted, random, forms));
      long end = context.clock().elapsedNanos();
      context
          .meter()
          .record(
              new PageTimes(dueNanos, Math.max(dueNanos, freeNanos), start, end),
              new PageFacts(
                  number,
                  visit.connection(),
                  visit.bytesSent(),
                  visit.bytesReceived(),
                  state,
                  visit.failure()));
      freeNanos = end;
      prepareNext(visit);
      return true;
    } finally {
      context.inFlight().decrementAndGet();
    }
  }

  /** Decides where the next step goes. */
  private void prepareNext(Visit visit) {
    if (drawsRequests()) {
      if (move == TransitionTable.END || visit.failure().outcome() == Outcome.ABORTED) {
        startSession();
      } else {
        ask(move);
      }
      return;
    }
    if (visit.failure() != Failure.NONE) {
      goToStart();
      return;
    }
    switch (move) {
      case TransitionTable.END -> startSession();
      case TransitionTable.BACK -> {
        Walk.Page before = walk.back();
        if (before == null || before.address() == null) {
          detour();
        } else {
          next = Link.get(before.address());
        }
      }
      default -> {
        Link link = visit.next();
        if (link == null) {
          detour();
        } else {
          walk.enter(new Walk.Page(move, link.isPost() ? null : link.address()));
          next = link;
        }
      }
    }
  }

  private void detour() {
    context.countDetour();
    goToStart();
  }

  private boolean drawsRequests() {
    return !context.mix().requests().isEmpty();
  }

  /** Asks next for a request of a class of a mix of one's own. */
  private void ask(int requestClass) {
    walk.enter(new Walk.Page(requestClass, null));
    next = RequestLink.of(context.mix().draw(requestClass, random));
  }

  /** The first request of a session is drawn like any other, which is none that ends it. */
  private void askFirst() {
    int first = TransitionTable.END;
    while (first < 0) {
      first = walk.draw(random);
    }
    ask(first);
  }

  private void goToStart() {
    if (drawsRequests()) {
      askFirst();
      return;
    }
    walk.restart(startAddress);
    next = Link.get(startAddress);
  }

  private void startSession() {
    Mix mix = context.mix();
    TransitionTable author = mix.author();
    boolean isAuthor = author != null && random.nextDouble() < mix.authorShare();
    walk = new Walk(isAuthor && author != null ? author : mix.user());
    forms = new BoardForms(random, context.names(), isAuthor);
    browser.startSession(context.target(number, session++));
    context.countSession();
    goToStart();
  }
}
