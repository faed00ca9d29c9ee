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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Attendance;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkServer;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.MalformedDataException;

/**
 * One naming process: a {@link NamingMember} with its file and its connections. It tells watchers
 * of each value it learns, and asks the other naming processes from time to time for what it
 * missed. Thread-safe.
 */
public final class NamingServer implements AutoCloseable {
  private static final long CATCH_UP_MILLIS = 250;
  private static final long ADMISSION_MILLIS = 20;

  private final Object lock = new Object();
  private final NamingMember member;
  private final NamingStore store;
  private final Map<String, Set<Link>> watchers = new HashMap<>();
  private final List<NamingLink> peers = new ArrayList<>();
  private final AtomicLong malformed = new AtomicLong();
  private final AtomicLong failedSaves = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ControlSecret secret;
  private final LinkServer server;
  private final Attendance attendance;
  private boolean storing = true;

  private NamingServer(
      InetSocketAddress address,
      List<InetSocketAddress> others,
      Path directory,
      ControlSecret secret) {
    this.secret = secret;
    this.store = new NamingStore(directory);
    StoredNames stored = store.load();
    RandomGenerator random = RandomGenerator.of("SecureRandom");
    this.member =
        new NamingMember(
            stored == null ? StoredNames.fresh(random.nextLong()) : stored,
            others.size(),
            random.nextLong());
    if (stored == null) {
      begin();
    }
    int all = others.size() + 1;
    this.attendance =
        new Attendance(
            "naming processes",
            all,
            all / 2 + 1,
            "no name can be changed before %d are".formatted(all / 2 + 1),
            line -> System.err.println("naming: " + line));
    this.server = LinkServer.open(address, secret, this::serve);
    if (others.isEmpty()) {
      System.err.println(
          "naming: no others were named (--peers), so this is the only naming process: while it is away no name can be looked up or changed");
    }
    synchronized (lock) { // Answers may come before all links are there.
      for (int i = 0; i < others.size(); i++) {
        int other = i;
        peers.add(
            new NamingLink(others.get(i), secret, message -> heard(other, message), () -> {}));
      }
    }
    Thread.ofVirtual().name("naming-catch-up").start(this::catchUp);
  }

  /** A process that cannot store anything from the first is of no use. */
  private void begin() {
    try {
      store.save(member.stored());
      member.wasStored();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the naming process cannot store names: " + e + "; give a directory of a disk with room",
          e);
    }
  }

  /**
   * Opens a naming process as {@link #open(InetSocketAddress, List, Path, ControlSecret)} does, on
   * loopback, without a secret.
   */
  public static NamingServer open(
      InetSocketAddress address, List<InetSocketAddress> others, Path directory) {
    return open(address, others, directory, ControlSecret.none());
  }

  /**
   * Opens a naming process.
   *
   * @param address where it listens; port 0 lets the system choose
   * @param others the other naming processes, to catch up from
   * @param directory where it stores the names; no other process uses it
   * @param secret of all who talk to it
   * @throws TerraceException if the address is taken, or beyond loopback while there is no secret,
   *     or if the stored names are damaged, or none can be stored
   */
  public static NamingServer open(
      InetSocketAddress address,
      List<InetSocketAddress> others,
      Path directory,
      ControlSecret secret) {
    return new NamingServer(address, others, directory, secret);
  }

  /** The address at which it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  /**
   * The number of frames that were too long, no naming message, one that only a naming process
   * sends, or of somebody who does not have the secret; each ended its connection.
   */
  public long malformedFrames() {
    return malformed.get();
  }

  private void serve(Socket socket) throws IOException {
    try (Link link = Link.accept(socket, secret)) {
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
        case NamingMessage.Learn(Registration value) -> {
          tellIf(member.hear(value), value);
          isStored();
        }
        case NamingMessage.Prepare asked -> answer(link, asked);
        case NamingMessage.Accept asked -> answer(link, asked);
        case NamingMessage.Resolve asked -> tell(link, asked);
        case NamingMessage.ListAll asked -> tell(link, asked);
        case NamingMessage.Stand asked -> answer(link, asked);
        case NamingMessage.Enter asked -> answer(link, asked);
        case NamingMessage.Promised reply -> throw unasked(reply);
        case NamingMessage.Accepted reply -> throw unasked(reply);
        case NamingMessage.Refused reply -> throw unasked(reply);
        case NamingMessage.Resolved reply -> throw unasked(reply);
        case NamingMessage.Listed reply -> throw unasked(reply);
        case NamingMessage.Standing reply -> throw unasked(reply);
        case NamingMessage.Entered reply -> throw unasked(reply);
      }
    }
  }

  private static MalformedDataException unasked(NamingMessage reply) {
    return new MalformedDataException("nobody asked for " + reply.getClass().getSimpleName());
  }

  /** A vote is given when it is on the disk; one that is not is as good as a lost message. */
  private void answer(Link link, NamingMessage question) {
    NamingMessage reply = member.step(question);
    if (isStored() && reply != null) {
      link.send(NamingCodec.encode(reply));
    }
  }

  /**
   * Answers a question about what was chosen, which is chosen whether or not this process stores
   * it.
   */
  private void tell(Link link, NamingMessage question) {
    NamingMessage reply = member.step(question);
    if (reply != null) {
      link.send(NamingCodec.encode(reply));
    }
  }

  private void watch(Link link, String name) {
    watchers.computeIfAbsent(name, absent -> ConcurrentHashMap.newKeySet()).add(link);
    Registration present = member.chosen(name);
    if (present != null) {
      link.send(NamingCodec.encode(new NamingMessage.Learn(present)));
    }
  }

  /** Watchers are told first: the value is chosen whether or not this process stores it. */
  private void tellIf(boolean news, Registration value) {
    if (news) {
      byte[] notice = NamingCodec.encode(new NamingMessage.Learn(value));
      watchers.getOrDefault(value.service(), Set.of()).forEach(link -> link.send(notice));
    }
  }

  /**
   * Whether everything is on the disk now; what is not yet is stored first, or when it is asked for
   * again, or when the next period begins.
   */
  private boolean isStored() {
    if (closed.getCount() == 0) {
      return false;
    } else if (!member.isChanged()) {
      return true;
    }
    try {
      store.save(member.stored());
      member.wasStored();
      if (!storing) {
        System.err.println("naming: names are stored again, and votes are given");
      }
      storing = true;
    } catch (IOException e) {
      failedSaves.incrementAndGet();
      if (storing) {
        System.err.println(
            "naming: no votes are given until names can be stored, which is tried again: " + e);
      }
      storing = false;
    }
    return storing;
  }

  /** The number of times that the names could not be stored; it is tried again until they are. */
  public long failedSaves() {
    return failedSaves.get();
  }

  /** Whether the process gives votes: it has been admitted, and its disk takes what it stores. */
  public boolean isHealthy() {
    synchronized (lock) {
      return member.isAdmitted() && storing;
    }
  }

  private void heard(int other, NamingMessage message) {
    synchronized (lock) {
      if (message instanceof NamingMessage.Listed listed) {
        listed.values().forEach(value -> tellIf(member.learn(value), value));
        isStored();
        if (!listed.next().isEmpty()) {
          peers.get(other).send(new NamingMessage.ListAll(0, listed.next()));
        }
      } else if (message instanceof NamingMessage.Standing standing) {
        if (member.heard(other, standing)) {
          ask(other);
        }
        isStored();
      }
    }
  }

  private void ask(int other) {
    NamingMessage question = member.question(other);
    if (question != null) {
      peers.get(other).send(question);
    }
  }

  /**
   * Whether this process votes: one whose directory was empty does not until the others have told
   * it how they stand.
   */
  boolean isAdmitted() {
    synchronized (lock) {
      return member.isAdmitted();
    }
  }

  private void catchUp() {
    try {
      do {
        askAll();
        if (attendance.expected() > 1) {
          attendance.seen(1 + connected());
        }
      } while (!closed.await(
          isAdmitted() ? CATCH_UP_MILLIS : ADMISSION_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The naming processes that are there, of those that were named. */
  Attendance attendance() {
    return attendance;
  }

  private int connected() {
    synchronized (lock) {
      return (int) peers.stream().filter(NamingLink::isConnected).count();
    }
  }

  /** Whoever stopped asking would never vote again after the loss of its disk. */
  private void askAll() {
    try {
      synchronized (lock) {
        isStored();
        for (int other = 0; other < peers.size(); other++) {
          peers.get(other).send(new NamingMessage.ListAll(0, ""));
          ask(other);
        }
      }
    } catch (RuntimeException | Error e) {
      System.err.println("naming: the others could not be asked, and are asked again: " + e);
    }
  }

  /** The registration that this process knows to be chosen under a name; null if none is. */
  @Nullable Registration chosen(String name) {
    synchronized (lock) {
      return member.chosen(name);
    }
  }

  @Override
  public void close() {
    synchronized (lock) { // Whatever is being stored is stored, and nothing after.
      closed.countDown();
    }
    peers.forEach(NamingLink::close);
    server.close();
  }
}
