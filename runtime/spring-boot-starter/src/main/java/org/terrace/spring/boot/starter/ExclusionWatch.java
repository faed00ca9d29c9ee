package org.terrace.spring.boot.starter;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationContext;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.groups.Group;

/**
 * The watch over whether the other servers still count this one. One that they do not can save
 * nothing until it is started anew: its liveness is broken, so that a platform does that.
 * Thread-safe.
 */
public final class ExclusionWatch {
  private static final System.Logger LOG = System.getLogger(ExclusionWatch.class.getName());
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Group group;
  private final ReplicatedCollections collections;
  private final ApplicationContext context;
  private final AtomicBoolean isTold = new AtomicBoolean();

  ExclusionWatch(Group group, ReplicatedCollections collections, ApplicationContext context) {
    this.group = group;
    this.collections = collections;
    this.context = context;
    group.every(PERIOD, this::look);
  }

  /** The reason why the others do not count this server, if they do not. */
  static Optional<String> reason(Group group, ReplicatedCollections collections) {
    Optional<String> told = group.exclusion();
    return told.isPresent() || !collections.metrics().isExcluded()
        ? told
        : Optional.of("the others have forgotten this server");
  }

  private void look() {
    Optional<String> reason = reason(group, collections);
    if (reason.isPresent() && isTold.compareAndSet(false, true)) {
      LOG.log(Level.ERROR, "This server has to be started anew: " + reason.get());
      // The application's listeners may block, which this thread must not.
      Thread.startVirtualThread(
          () -> AvailabilityChangeEvent.publish(context, LivenessState.BROKEN));
    }
  }
}
