package org.terrace.control.naming;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;
import org.terrace.core.codec.MalformedDataException;

/**
 * A connection to one naming process that is made anew whenever it ends. Thread-safe; handlers run
 * on the connection's own thread.
 */
final class NamingLink implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final long RECONNECT_MILLIS = 50;

  private final InetSocketAddress address;
  private final ControlSecret secret;
  private final Consumer<NamingMessage> received;
  private final Runnable changed;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Link link;
  private boolean told;

  /**
   * A link that begins to connect at once.
   *
   * @param changed called after each connection made and each one lost
   */
  NamingLink(
      InetSocketAddress address,
      ControlSecret secret,
      Consumer<NamingMessage> received,
      Runnable changed) {
    this.address = address;
    this.secret = secret;
    this.received = received;
    this.changed = changed;
    Thread.ofVirtual().name("naming-link-" + address).start(this::run);
  }

  /** Whether there is a connection now. */
  boolean isConnected() {
    Link current = link;
    return current != null && current.isOpen();
  }

  /** Sends a message; false if there is no connection. */
  boolean send(NamingMessage message) {
    Link current = link;
    if (current == null || !current.isOpen()) {
      return false;
    }
    current.send(NamingCodec.encode(message));
    return true;
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
    try (Link opened = Link.connect(address, CONNECT_TIMEOUT, secret)) {
      link = opened;
      changed.run();
      while (ended.getCount() > 0) {
        received.accept(NamingCodec.decode(opened.receive()));
      }
    } catch (ProtocolException e) {
      tellOnce(e);
    } catch (IOException | MalformedDataException e) {
      // The next attempt follows; until then this naming process counts as away.
      link = null;
    }
    link = null;
    changed.run();
  }

  /** That the two ends have different secrets is for people to mend. */
  private void tellOnce(ProtocolException refusal) {
    link = null;
    if (!told) {
      told = true;
      System.err.println("naming process " + address + ": " + refusal.getMessage());
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
