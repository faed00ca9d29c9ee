package org.terrace.control.naming;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkTarget;
import org.terrace.core.codec.MalformedDataException;

/**
 * A connection to one naming process that is made anew whenever it ends, or nothing comes from
 * there any more. Thread-safe; handlers run on the connection's own thread. What a handler throws
 * costs that message alone; it is reported and counted.
 */
final class NamingLink implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final long RECONNECT_MILLIS = 50;

  /** The period in which the other end is asked whether it is there. */
  private static final Duration BEAT_PERIOD = Duration.ofSeconds(1);

  /**
   * The silence after which the other end counts as gone, though nothing says so: its host
   * vanished.
   */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(5);

  /** A question of no name, which every naming process answers; clients count theirs from 1. */
  private static final NamingMessage.Resolve BEAT = new NamingMessage.Resolve(Long.MAX_VALUE, "");

  private final InetSocketAddress address;
  private final LinkTarget target;
  private final Consumer<NamingMessage> received;
  private final Runnable changed;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Link link;
  private final AtomicLong failures = new AtomicLong();
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
    this.target = new LinkTarget("naming process", address, secret);
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

  /** The number of times that a handler has thrown. */
  long failures() {
    return failures.get();
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
      opened.endAfterSilenceOf(SILENCE_MAX);
      link = opened;
      Thread.ofVirtual().name("naming-beat-" + address).start(() -> beat(opened));
      handle(changed);
      while (ended.getCount() > 0) {
        NamingMessage message = NamingCodec.decode(opened.receive());
        if (!isBeat(message)) {
          handle(() -> received.accept(message));
        }
      }
    } catch (ProtocolException e) {
      tellOnce(e);
    } catch (IOException | MalformedDataException e) {
      // The next attempt follows; until then this naming process counts as away.
      link = null;
    }
    link = null;
    handle(changed);
  }

  private void beat(Link opened) {
    byte[] beat = NamingCodec.encode(BEAT);
    try {
      while (opened.isOpen() && !ended.await(BEAT_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        opened.send(beat);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isBeat(NamingMessage message) {
    return message instanceof NamingMessage.Resolved(long id, Registration _) && id == BEAT.id();
  }

  /** Runs a handler; the thread goes on whatever it throws, as others depend on it. */
  private void handle(Runnable handler) {
    try {
      handler.run();
    } catch (RuntimeException | Error e) {
      if (failures.getAndIncrement() == 0) {
        System.err.println("naming process " + address + ": a handler of its messages failed:");
        e.printStackTrace();
      }
    }
  }

  /** Tells people, once, that the two ends have different secrets: only they can mend that. */
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
