package org.terrace.control.manager;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkTarget;

/**
 * A manager's connection to another manager, made anew whenever it ends: over it the other one
 * hears that this one is alive. Thread-safe.
 */
final class PeerLink implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final long RECONNECT_MILLIS = 20;

  private final ManagerContact target;
  private final String self;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Link link;

  PeerLink(InetSocketAddress other, ControlSecret secret, String self) {
    this(new LinkTarget("manager", other, secret)::connect, other.toString(), self);
  }

  PeerLink(ManagerContact target, String other, String self) {
    this.target = target;
    this.self = self;
    Thread.ofVirtual().name("manager-peer-" + other).start(this::run);
  }

  private void run() {
    try {
      do {
        connectOnce();
      } while (!ended.await(RECONNECT_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void connectOnce() {
    try (Link opened = target.connect(CONNECT_TIMEOUT)) {
      opened.send(ManagerMessage.encode(new ManagerMessage.PeerHello(self)));
      link = opened;
      while (ended.getCount() > 0) {
        opened.receive();
      }
    } catch (IOException e) {
      link = null;
    } catch (RuntimeException | Error e) {
      // Without this link the other would take this manager for gone.
      System.err.println(self + ": the link to another manager failed, and is made anew: " + e);
    }
    link = null;
  }

  void beat(long term) {
    Link current = link;
    if (current != null) {
      current.send(ManagerMessage.encode(new ManagerMessage.Beat(term)));
    }
  }

  @Override
  public void close() {
    ended.countDown();
    Link current = link;
    if (current != null) {
      current.close();
    }
  }
}
