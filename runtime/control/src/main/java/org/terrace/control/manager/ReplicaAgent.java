package org.terrace.control.manager;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkTarget;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.Endpoint;

/**
 * A replica's agent towards the replication managers: it registers the replica with each of them,
 * says that it is alive, and passes on what they say.
 *
 * <p>It connects to all managers, leading or not, so that the next leader knows the replica before
 * it leads. Heartbeats stop while {@code healthy} says no. Thread-safe; the listener is called by
 * threads of the agent's, one call at a time.
 */
public final class ReplicaAgent implements AutoCloseable {
  /** The period in which a replica says that it is alive. */
  public static final Duration HEARTBEAT_PERIOD = Duration.ofMillis(20);

  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final long RECONNECT_MILLIS = 20;

  /**
   * A manager that says so once a second is there; one that is not heard of for so long is gone
   * with its host, though what is sent to it only waits. Long, as a manager that stands still for a
   * while and goes on should find its replicas connected.
   */
  static final Duration SILENCE_MAX = Duration.ofSeconds(10);

  /** A listener to what a replica is told. */
  public interface Listener {
    /**
     * The service's reference is now this one: newer than any before. The replica is the primary if
     * it is the first listed, and a spare if it is not listed.
     */
    void assigned(ServiceReference reference);

    /**
     * The replica is to finish the calls under way and take no more; returns when that is so. The
     * process is ended soon after.
     */
    void drain();
  }

  private final String service;
  private final Endpoint endpoint;
  private final BooleanSupplier healthy;
  private final LongSupplier epochSeen;
  private final Listener listener;
  private final ControlSecret secret;
  private final Object lock = new Object();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Tie> ties = new ArrayList<>();
  private long newestVersion = -1;
  private boolean draining;
  private volatile long epochTold;
  private volatile boolean told;

  private ReplicaAgent(
      String service,
      Endpoint endpoint,
      List<InetSocketAddress> managers,
      ControlSecret secret,
      BooleanSupplier healthy,
      LongSupplier epochSeen,
      Listener listener) {
    this.service = service;
    this.endpoint = endpoint;
    this.healthy = healthy;
    this.epochSeen = epochSeen;
    this.listener = listener;
    this.secret = secret;
    managers.forEach(manager -> ties.add(new Tie(manager)));
    for (Tie tie : ties) {
      Thread.ofVirtual().name("replica-agent-" + tie.manager).start(tie::run);
    }
    Thread.ofPlatform().daemon().name("replica-heartbeats").start(this::beat);
  }

  /**
   * Registers a replica and keeps it registered until closed.
   *
   * @param managers where the managers listen: all of them
   * @param secret of the managers
   * @param healthy whether the replica can do its work; asked before each heartbeat, returns at
   *     once
   * @param epochSeen the highest epoch of the service that the replica's database has shown it, 0
   *     for none; asked before each heartbeat, returns at once
   */
  public static ReplicaAgent open(
      String service,
      Endpoint endpoint,
      List<InetSocketAddress> managers,
      ControlSecret secret,
      BooleanSupplier healthy,
      LongSupplier epochSeen,
      Listener listener) {
    return new ReplicaAgent(service, endpoint, managers, secret, healthy, epochSeen, listener);
  }

  private void beat() {
    try {
      while (!closed.await(HEARTBEAT_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          if (healthy.getAsBoolean()) {
            long epoch = Math.max(epochSeen.getAsLong(), epochTold);
            byte[] beat = ManagerMessage.encode(new ManagerMessage.Beat(epoch));
            ties.forEach(tie -> tie.send(beat));
          }
        } catch (RuntimeException | Error e) {
          tell(e); // As if it had said no: the next beat asks again.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(Throwable failure) {
    if (!told) {
      told = true;
      System.err.println(
          endpoint.replica() + ": failed at what a manager said, or at a heartbeat:");
      failure.printStackTrace();
    }
  }

  private void receive(Tie tie, ManagerMessage message) {
    switch (message) {
      case ManagerMessage.Assigned(ServiceReference reference) -> {
        synchronized (lock) {
          if (reference.version() > newestVersion) {
            listener.assigned(reference);
            newestVersion = reference.version();
            epochTold = Math.max(epochTold, reference.epoch());
          }
        }
      }
      case ManagerMessage.Drain() -> drain(tie);
      case ManagerMessage.ReplicaHello ignored -> {}
      case ManagerMessage.PeerHello ignored -> {}
      case ManagerMessage.Beat ignored -> {}
      case ManagerMessage.Drained ignored -> {}
      case ManagerMessage.Starting ignored -> {}
    }
  }

  private void drain(Tie tie) {
    synchronized (lock) {
      if (draining) {
        return;
      }
      draining = true;
    }
    Thread.ofVirtual()
        .name("replica-drain")
        .start(() -> {
          listener.drain();
          tie.send(ManagerMessage.encode(new ManagerMessage.Drained()));
        });
  }

  @Override
  public void close() {
    closed.countDown();
    ties.forEach(Tie::close);
  }

  /** The connection to one manager, made anew whenever it ends. */
  private final class Tie {
    private final InetSocketAddress manager;
    private final LinkTarget target;
    private volatile @Nullable Link link;

    Tie(InetSocketAddress manager) {
      this.manager = manager;
      this.target = new LinkTarget("manager", manager, secret);
    }

    void run() {
      try {
        do {
          connectOnce();
        } while (!closed.await(RECONNECT_MILLIS, TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void connectOnce() {
      try (Link opened = target.connect(CONNECT_TIMEOUT)) {
        long pid = ProcessHandle.current().pid();
        opened.send(ManagerMessage.encode(new ManagerMessage.ReplicaHello(service, endpoint, pid)));
        link = opened;
        while (closed.getCount() > 0) {
          ManagerMessage message = ManagerMessage.decode(opened.receive());
          if (message instanceof ManagerMessage.Beat) {
            opened.endAfterSilenceOf(SILENCE_MAX); // A manager of before beats to nobody.
          }
          receive(this, message);
        }
      } catch (IOException | MalformedDataException e) {
        link = null;
      } catch (RuntimeException | Error e) {
        // The manager says again what the replica could not heed, when it is connected again.
        tell(e);
        link = null;
      }
      link = null;
    }

    void send(byte[] message) {
      Link current = link;
      if (current != null) {
        current.send(message);
      }
    }

    void close() {
      Link current = link;
      if (current != null) {
        current.close();
      }
    }
  }
}
