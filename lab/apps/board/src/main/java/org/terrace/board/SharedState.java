package org.terrace.board;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.MembershipOptions;
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

  /** The first server of all meets nobody. */
  private static final long MEETING_MILLIS_MAX = 1_500;

  private static final Duration CATCH_UP_MAX = Duration.ofSeconds(10);

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
    Group group =
        Groups.open(
            GroupOptions.of(GROUP, options.name(), Discovery.of(options.groupContacts()))
                .at(InetAddress.ofLiteral(options.address()), options.groupPort())
                .withMembership(WATCHFUL));
    SharedState shared =
        new SharedState(group, ReplicatedCollections.open(group, CollectionsOptions.defaults()));
    if (!options.groupContacts().isEmpty()) {
      shared.catchUp();
    }
    return shared;
  }

  /** A server that answered before it has the sessions would sign visitors out. */
  private void catchUp() {
    CountDownLatch met = new CountDownLatch(1);
    group.watch(view -> {
      if (!view.others().isEmpty()) {
        met.countDown();
      }
    });
    try {
      if (met.await(MEETING_MILLIS_MAX, TimeUnit.MILLISECONDS)
          && !collections.awaitCaughtUp(CATCH_UP_MAX)) {
        System.err.println("board: begins without all sessions of the other servers");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    collections.close();
    group.close();
  }
}
