package org.terrace.spring.boot.starter;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.core.HostLookup;
import org.terrace.core.TimeSource;
import org.terrace.groups.Group;

/**
 * The wait of a server that starts until it has what the others have: one that answered before
 * would sign visitors out. Confined to the start.
 */
final class StartWait {
  private static final System.Logger LOG = System.getLogger(StartWait.class.getName());
  private static final int REACH_MILLIS_MAX = 500;
  private static final long POLL_NANOS = 1_000_000;

  private final Group group;
  private final ReplicatedCollections collections;
  private final TimeSource time;

  StartWait(Group group, ReplicatedCollections collections, TimeSource time) {
    this.group = group;
    this.collections = collections;
    this.time = time;
  }

  /** Waits, if somebody is there; says in the log if that was in vain. */
  void await(List<InetSocketAddress> contacts, Duration timeout) {
    if (contacts.stream().noneMatch(this::isSomebodyAt)) {
      return;
    }
    // Told of a view after the collections, which are caught up at once where they see nobody.
    AtomicBoolean isTogether = new AtomicBoolean();
    group.watch(view -> isTogether.set(!view.others().isEmpty()));
    long startNanos = time.elapsedNanos();
    while (!isTogether.get() || !collections.awaitCaughtUp(Duration.ZERO) || !isTogether.get()) {
      if (time.elapsedNanos() - startNanos >= timeout.toNanos()) {
        LOG.log(
            Level.WARNING,
            "This server begins without all that the others have: it was not told in "
                + timeout
                + " (terrace.catch-up-timeout)");
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * Whether another server has opened its group there. The first of all finds nobody and begins at
   * once. Of two that begin together at least one finds the other, for each looks when its own
   * group is open.
   */
  private boolean isSomebodyAt(InetSocketAddress contact) {
    try {
      for (InetSocketAddress address : HostLookup.addresses(contact)) {
        if (!address.equals(group.self().address()) && answers(address)) {
          return true;
        }
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Nobody is known at " + contact, e);
    }
    return false;
  }

  private static boolean answers(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, REACH_MILLIS_MAX);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
