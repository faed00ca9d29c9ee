package org.terrace.board;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.terrace.board.store.SecretFile;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.core.TimeSource;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.Secret;
import org.terrace.groups.builtin.Groups;

/**
 * This server's replica of what the application servers share.
 *
 * <p>A write waits for every server that is believed alive, so the time until a dead one is
 * declared so is a time without writes: the members watch each other closely. Thread-safe.
 *
 * @param group the application servers
 * @param collections what they share
 */
record SharedState(Group group, ReplicatedCollections collections) implements AutoCloseable {
  private static final String GROUP = "board";

  /** The time within which a contact must answer, or counts as nobody. */
  private static final int REACH_MILLIS_MAX = 500;

  private static final Duration CATCH_UP_MAX = Duration.ofSeconds(10);
  private static final long POLL_NANOS = 1_000_000;

  /** Two members have no third to ask: a lone accuser must wait four times these two periods. */
  private static final MembershipOptions WATCHFUL =
      new MembershipOptions(
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          3,
          2,
          2,
          Duration.ofMillis(200),
          Duration.ofDays(1));

  static SharedState open(BoardServerOptions options) {
    GroupOptions settings =
        GroupOptions.of(GROUP, options.name(), Discovery.of(options.groupContacts()))
            .withAddress(InetAddress.ofLiteral(options.address()), options.groupPort())
            .withMembership(WATCHFUL);
    String secret = SecretFile.read("--group-secret-file", options.groupSecretFile());
    Group group =
        Groups.open(
            secret.isEmpty()
                ? settings
                : settings.withKeys(
                    GroupKeys.encrypting(new Secret(secret.getBytes(StandardCharsets.UTF_8)))));
    SharedState shared =
        new SharedState(group, ReplicatedCollections.open(group, CollectionsOptions.defaults()));
    if (options.groupContacts().stream().anyMatch(shared::isSomebodyAt)) {
      shared.catchUp(TimeSource.system());
    }
    return shared;
  }

  /**
   * Whether another server has opened its group there. The first of all finds nobody and begins at
   * once. Of two that begin together at least one finds the other, for each looks when its own
   * group is open.
   */
  private boolean isSomebodyAt(InetSocketAddress contact) {
    if (!contact.isUnresolved()) {
      return accepts(contact);
    }
    try {
      // A name may have no address yet: nobody has begun then.
      return Arrays.stream(InetAddress.getAllByName(contact.getHostString()))
          .anyMatch(address -> accepts(new InetSocketAddress(address, contact.getPort())));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private boolean accepts(InetSocketAddress place) {
    if (place.equals(group.self().address())) {
      return false;
    }
    try (Socket socket = new Socket()) {
      socket.connect(place, REACH_MILLIS_MAX);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A server that answered before it has the sessions would sign visitors out. */
  private void catchUp(TimeSource time) {
    // Told of a view after the collections, which are caught up at once where they see nobody.
    AtomicBoolean isTogether = new AtomicBoolean();
    group.watch(view -> isTogether.set(!view.others().isEmpty()));
    long startNanos = time.elapsedNanos();
    while (!isTogether.get() || !collections.awaitCaughtUp(Duration.ZERO) || !isTogether.get()) {
      if (time.elapsedNanos() - startNanos >= CATCH_UP_MAX.toNanos()) {
        System.err.println("board: begins without all sessions of the other servers");
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  @Override
  public void close() {
    collections.close();
    group.close();
  }
}
