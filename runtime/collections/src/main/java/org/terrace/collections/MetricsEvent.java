package org.terrace.collections;

import java.lang.ref.WeakReference;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.CollectionsMetrics;

/**
 * The metrics of a replica, once a second in a recording of the Java Flight Recorder, so that a
 * process need not be changed to be watched. Costs nothing while nothing is recorded.
 */
@Name("org.terrace.collections.Metrics")
@Label("Replicated Collections")
@Description("What a replica holds and has done so far")
@Category("Terrace")
@Period("1 s")
@StackTrace(false)
final class MetricsEvent extends Event {
  @Label("Member")
  String member = "";

  @Label("Live Entries")
  long entries;

  @Label("Writers in the Version Vector")
  long writers;

  @Label("Replicas Away")
  long replicasAway;

  @Label("Rounds of Gossip")
  long gossipRounds;

  @Label("Messages of Gossip")
  long gossipMessages;

  @Label("Most Messages of Gossip in One Round")
  long gossipMessagesARoundMax;

  @Label("Messages of Gossip Postponed")
  long gossipPostponed;

  @Label("Messages of Another Version")
  long incompatibleMessages;

  @Label("Excluded from the Group")
  boolean isExcluded;

  /**
   * Begins to note the replica's metrics, as long as somebody else holds it; gives what ends that.
   */
  static Runnable begin(Replica replica, String member) {
    WeakReference<Replica> noted = new WeakReference<>(replica);
    Runnable note =
        () -> {
          Replica present = noted.get();
          if (present != null) {
            of(present.metrics(), member).commit();
          }
        };
    FlightRecorder.addPeriodicEvent(MetricsEvent.class, note);
    return () -> {
      FlightRecorder.removePeriodicEvent(note);
      note.run();
    };
  }

  private static MetricsEvent of(CollectionsMetrics metrics, String member) {
    MetricsEvent event = new MetricsEvent();
    event.member = member;
    event.entries = metrics.entries();
    event.writers = metrics.writers();
    event.replicasAway = metrics.replicasAway();
    event.gossipRounds = metrics.gossipRounds();
    event.gossipMessages = metrics.gossipMessages();
    event.gossipMessagesARoundMax = metrics.gossipMessagesARoundMax();
    event.gossipPostponed = metrics.gossipPostponed();
    event.incompatibleMessages = metrics.incompatibleMessages();
    event.isExcluded = metrics.isExcluded();
    return event;
  }
}
