package org.terrace.spring.boot.starter;

import java.lang.System.Logger.Level;
import java.time.Duration;
import org.springframework.beans.factory.DisposableBean;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.groups.Group;

/**
 * The goodbye of a server whose name is not used again: when it is stopped it hands over to the
 * others, who then wait for it no more. One that sees nobody says no goodbye, and keeps its
 * checkpoint. Thread-safe.
 */
public final class HandOver implements DisposableBean {
  private static final System.Logger LOG = System.getLogger(HandOver.class.getName());

  private final Group group;
  private final ReplicatedCollections collections;
  private final Duration timeout;

  HandOver(Group group, ReplicatedCollections collections, Duration timeout) {
    this.group = group;
    this.collections = collections;
    this.timeout = timeout;
  }

  /** Hands over, if there is somebody; called by Spring before the replica is closed. */
  @Override
  public void destroy() {
    if (!timeout.isPositive() || group.view().others().isEmpty()) {
      return;
    }
    if (!collections.leave(timeout)) {
      LOG.log(
          Level.WARNING,
          "This server could not hand over within {0} (terrace.leave-timeout): the others wait for"
              + " {1} until it is back or forgotten (ReplicatedCollections.forget)",
          timeout,
          group.self().name());
    }
  }
}
