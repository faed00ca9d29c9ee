package org.terrace.control.manager;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkTarget;

/**
 * The word of a replica that is being started to the managers that it waits for something, such as
 * its database, and has not failed: as long as it is given, no manager gives the launch up.
 * Thread-safe.
 */
public final class StartNotice implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final long PERIOD_MILLIS = 1_000;

  private final byte[] notice;
  private final CountDownLatch closed = new CountDownLatch(1);

  StartNotice(String replica, List<ManagerContact> managers) {
    this.notice = ManagerMessage.encode(new ManagerMessage.Starting(replica));
    for (ManagerContact manager : managers) {
      Thread.ofVirtual().name("start-notice-of-" + replica).start(() -> run(manager));
    }
  }

  /**
   * Gives the word once a second, for the first time after a second, until closed.
   *
   * @param managers where the managers listen: all of them
   */
  public static StartNotice give(
      String replica, List<InetSocketAddress> managers, ControlSecret secret) {
    return new StartNotice(
        replica,
        managers.stream()
            .<ManagerContact>map(manager -> new LinkTarget("manager", manager, secret)::connect)
            .toList());
  }

  private void run(ManagerContact manager) {
    try {
      while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        giveUntilLost(manager);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void giveUntilLost(ManagerContact manager) throws InterruptedException {
    try (Link link = manager.connect(CONNECT_TIMEOUT)) {
      do {
        link.send(notice);
      } while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS) && link.isOpen());
    } catch (IOException managerIsAway) {
      // It is tried again; a manager that is away gives no launch up.
    } catch (RuntimeException | Error e) {
      System.err.println("a manager could not be told of a start, and is told again: " + e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
