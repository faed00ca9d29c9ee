package org.terrace.experiment;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.watch.WatchingVisitor;
import org.terrace.nodes.monitor.EarlyEnd;

/**
 * Visitors who sign in at the board, keep a draft again and again, and look after each time whether
 * they are still signed in and the draft is still there.
 *
 * <p>A draft counts as kept once the page that says so has arrived: whatever happens to a server
 * after that, it must be found. A request that fails may or may not have taken effect; its draft
 * may be found or not. Started and stopped by one thread; the visitors have one each.
 */
public final class SessionWatch implements AutoCloseable {
  /** Visitors {@code user1} to {@code user100} exist at every scale of the board. */
  public static final int VISITORS_MAX = 100;

  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

  private final HttpClient client;
  private final List<WatchingVisitor> visitors = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final EarlyEnd early = new EarlyEnd();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private SessionWatch(HttpClient client) {
    this.client = client;
  }

  /**
   * Starts visitors of a site.
   *
   * @param site its entrance, for example {@code http://127.0.1.1:8080}
   * @param from the address they connect from
   * @param visitors how many, 1 to {@value #VISITORS_MAX}
   * @param time the clock of the moments at which drafts were found
   */
  public static SessionWatch start(URI site, InetAddress from, int visitors, TimeSource time) {
    if (visitors < 1 || visitors > VISITORS_MAX) {
      throw new IllegalArgumentException("1 to " + VISITORS_MAX + " visitors, not " + visitors);
    }
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(from)
            .connectTimeout(CONNECT_WITHIN)
            .build();
    SessionWatch watch = new SessionWatch(client);
    for (int number = 1; number <= visitors; number++) {
      WatchingVisitor visitor = new WatchingVisitor(client, site, number, time);
      watch.visitors.add(visitor);
      watch.threads.add(
          Thread.ofVirtual()
              .name("visitor " + number)
              .start(watch.early.noting(() -> watch.run(visitor))));
    }
    return watch;
  }

  private void run(WatchingVisitor visitor) {
    try {
      do {
        visitor.keepAndLook();
      } while (!stopped.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the visits after the one under way, and says what was seen.
   *
   * @throws TerraceException if a visitor ended before, who may have missed what was to be seen
   */
  public SessionCounts stop() throws InterruptedException {
    stopped.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    early
        .reason()
        .ifPresent(why -> {
          throw new TerraceException(
              ErrorCode.CHECK_FAILED,
              "a visitor who watches the sessions ended before the run did: " + why);
        });
    long saves = 0;
    long reads = 0;
    long signedOut = 0;
    long lost = 0;
    long failed = 0;
    List<Long> found = new ArrayList<>();
    for (WatchingVisitor visitor : visitors) {
      saves += visitor.saves();
      reads += visitor.reads();
      signedOut += visitor.signedOut();
      lost += visitor.lost();
      failed += visitor.failed();
      found.add(visitor.foundNanos());
    }
    return new SessionCounts(saves, reads, signedOut, lost, failed, found);
  }

  @Override
  public void close() {
    stopped.countDown();
    threads.forEach(Thread::interrupt);
    client.close();
  }
}
