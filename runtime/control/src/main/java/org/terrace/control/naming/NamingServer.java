package org.terrace.control.naming;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkServer;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.MalformedDataException;

/**
 * One naming process: an {@link Acceptor} with its file and its connections. It tells watchers of
 * each value it learns, and asks the other naming processes from time to time for what it missed.
 * Thread-safe.
 */
public final class NamingServer implements AutoCloseable {
  private static final long CATCH_UP_MILLIS = 250;

  private final Object lock = new Object();
  private final Acceptor acceptor;
  private final NamingStore store;
  private final Map<String, Set<Link>> watchers = new HashMap<>();
  private final List<NamingLink> peers = new ArrayList<>();
  private final AtomicLong malformed = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final LinkServer server;

  private NamingServer(InetSocketAddress address, List<InetSocketAddress> others, Path directory) {
    this.store = new NamingStore(directory);
    this.acceptor = new Acceptor(store.load());
    this.server = LinkServer.open(address, this::serve);
    for (InetSocketAddress other : others) {
      peers.add(new NamingLink(other, this::learnAll, () -> {}));
    }
    Thread.ofVirtual().name("naming-catch-up").start(this::catchUp);
  }

  /**
   * Opens a naming process.
   *
   * @param address where it listens; port 0 lets the system choose
   * @param others the other naming processes, to catch up from
   * @param directory where it stores the names; no other process uses it
   * @throws TerraceException if the address is taken or the stored names are damaged
   */
  public static NamingServer open(
      InetSocketAddress address, List<InetSocketAddress> others, Path directory) {
    return new NamingServer(address, others, directory);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  /**
   * How many frames were too long, no naming message, or one that only a naming process sends; each
   * ended its connection.
   */
  public long malformedFrames() {
    return malformed.get();
  }

  private void serve(Socket socket) throws IOException {
    try (Link link = new Link(socket)) {
      while (true) {
        handle(link, NamingCodec.decode(link.receive()));
      }
    } catch (MalformedDataException | ProtocolException e) {
      malformed.incrementAndGet();
    } finally {
      forgetClosed();
    }
  }

  private void forgetClosed() {
    synchronized (lock) {
      watchers
          .values()
          .removeIf(links -> {
            links.removeIf(link -> !link.isOpen());
            return links.isEmpty();
          });
    }
  }

  private void handle(Link link, NamingMessage message) {
    synchronized (lock) {
      switch (message) {
        case NamingMessage.Watch(String name) -> watch(link, name);
        case NamingMessage.Learn(Registration value) -> learn(value);
        case NamingMessage.Prepare asked -> answer(link, asked);
        case NamingMessage.Accept asked -> answer(link, asked);
        case NamingMessage.Resolve asked -> answer(link, asked);
        case NamingMessage.ListAll asked -> answer(link, asked);
        case NamingMessage.Promised reply -> throw unasked(reply);
        case NamingMessage.Accepted reply -> throw unasked(reply);
        case NamingMessage.Refused reply -> throw unasked(reply);
        case NamingMessage.Resolved reply -> throw unasked(reply);
        case NamingMessage.Listed reply -> throw unasked(reply);
      }
    }
  }

  private static MalformedDataException unasked(NamingMessage reply) {
    return new MalformedDataException("nobody asked for " + reply.getClass().getSimpleName());
  }

  private void answer(Link link, NamingMessage question) {
    NamingMessage reply = acceptor.step(question);
    saveIfChanged();
    if (reply != null) {
      link.send(NamingCodec.encode(reply));
    }
  }

  private void watch(Link link, String name) {
    watchers.computeIfAbsent(name, absent -> ConcurrentHashMap.newKeySet()).add(link);
    Registration present = acceptor.chosen(name);
    if (present != null) {
      link.send(NamingCodec.encode(new NamingMessage.Learn(present)));
    }
  }

  /** Watchers are told first: the value is chosen whether or not this process stores it. */
  private void learn(Registration value) {
    if (acceptor.learn(value)) {
      byte[] notice = NamingCodec.encode(new NamingMessage.Learn(value));
      watchers.getOrDefault(value.service(), Set.of()).forEach(link -> link.send(notice));
      saveIfChanged();
    }
  }

  private void saveIfChanged() {
    if (acceptor.takeChanged()) {
      store.save(acceptor.slots());
    }
  }

  private void learnAll(NamingMessage message) {
    if (message instanceof NamingMessage.Listed listed) {
      synchronized (lock) {
        listed.values().forEach(this::learn);
      }
    }
  }

  private void catchUp() {
    try {
      do {
        peers.forEach(peer -> peer.send(new NamingMessage.ListAll(0)));
      } while (!closed.await(CATCH_UP_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What this process knows to be chosen under a name. */
  @Nullable Registration chosen(String name) {
    synchronized (lock) {
      return acceptor.chosen(name);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    peers.forEach(NamingLink::close);
    server.close();
  }
}
