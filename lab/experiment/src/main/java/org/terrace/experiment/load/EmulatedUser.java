package org.terrace.experiment.load;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.terrace.experiment.load.Browser.Visit;
import org.terrace.experiment.load.RowFormat.PageFacts;
import org.terrace.experiment.load.RowFormat.PageTimes;

/**
 * One emulated user: walks the mix's table page by page, session after session, on a virtual thread
 * of its own.
 *
 * <p>The next move is drawn before a page arrives, so that reading the page has to keep one link
 * only. A page that does not offer the state that was drawn sends the user to the start page by its
 * address: a detour, which is counted. So does a failed page, and going back to the answer to a
 * form. At the end of a session cookies and connection go, and the next page is the start page of a
 * new session with another account.
 */
final class EmulatedUser implements Runnable {
  private final LoadContext context;
  private final int number;
  private final SplittableRandom random;
  private final long firstNanos;
  private final @Nullable Arrivals arrivals;
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
   * A user.
   *
   * @param number its number, from zero
   * @param random its own generator
   * @param firstNanos when a user of a closed load is due to ask for its first page
   * @param arrivals where a user of an open load gets its work; null in a closed load
   */
  EmulatedUser(
      LoadContext context,
      int number,
      SplittableRandom random,
      long firstNanos,
      @Nullable Arrivals arrivals) {
    this.context = context;
    this.number = number;
    this.random = random;
    this.firstNanos = firstNanos;
    this.arrivals = arrivals;
    this.browser = new Browser(context, context.source(number), context.target(number, 0));
    String path = context.target(number, 0).getRawPath();
    this.startAddress = path.isEmpty() ? "/" : path;
    this.next = Link.get(startAddress);
    this.walk = new Walk(context.mix().user());
    this.forms = new BoardForms(random, context.names(), false);
    startSession();
    context.watchdog().add(browser);
  }

  @Override
  public void run() {
    context.usersActive().incrementAndGet();
    try {
      if (arrivals == null) {
        runClosed();
      } else {
        runOpen(arrivals);
      }
    } finally {
      browser.disconnect();
      context.usersActive().decrementAndGet();
    }
  }

  /** Ends a page under way; for any thread. */
  void abort() {
    browser.abort();
  }

  private void runClosed() {
    long intended = firstNanos;
    while (context.awaitUntil(intended)) {
      step(intended, intended);
      intended = freeNanos + thinkAfter.sampleNanos(random);
    }
  }

  private void runOpen(Arrivals queue) {
    freeNanos = context.clock().elapsedNanos();
    while (true) {
      long intended = queue.take();
      if (intended == Arrivals.STOPPED) {
        return;
      }
      step(intended, Math.max(intended, freeNanos));
    }
  }

  private void step(long intended, long ready) {
    context.inFlight().incrementAndGet();
    try {
      int state = walk.state();
      TransitionTable table = walk.table();
      move = walk.draw(random);
      thinkAfter = context.meter().think(table, state);
      String wanted = move >= 0 ? table.states().get(move) : null;
      long start = context.clock().elapsedNanos();
      Visit visit =
          browser.visit(next, new Browser.Search(table.states().get(state), wanted, random, forms));
      long end = context.clock().elapsedNanos();
      context
          .meter()
          .record(
              new PageTimes(intended, ready, start, end),
              new PageFacts(
                  number,
                  visit.connection(),
                  visit.bytesSent(),
                  visit.bytesReceived(),
                  state,
                  visit.failure()),
              thinkAfter.meanNanos());
      freeNanos = end;
      prepareNext(visit);
    } finally {
      context.inFlight().decrementAndGet();
    }
  }

  /** Decides where the next step goes. */
  private void prepareNext(Visit visit) {
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

  private void goToStart() {
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
