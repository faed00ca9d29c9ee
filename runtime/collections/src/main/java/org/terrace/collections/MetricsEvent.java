package org.terrace.collections;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
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

  /** Begins to note the replica's metrics; gives what ends it. */
  static Runnable begin(ReplicatedCollections collections, String member) {
    Runnable note =
        () -> {
          MetricsEvent event = new MetricsEvent();
          CollectionsMetrics metrics = collections.metrics();
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
          event.commit();
        };
    FlightRecorder.addPeriodicEvent(MetricsEvent.class, note);
    return () -> {
      note.run();
      FlightRecorder.removePeriodicEvent(note);
    };
  }
}
