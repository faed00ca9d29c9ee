package org.terrace.collections;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
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
   * The replicas whose metrics are noted, with the names of their members, while others hold them.
   */
  private static final Map<Replica, String> NOTED = new WeakHashMap<>();

  static {
    FlightRecorder.addPeriodicEvent(MetricsEvent.class, MetricsEvent::noteAll);
  }

  /**
   * Begins to note the replica's metrics, as long as somebody else holds it, closed or not; gives
   * what ends that.
   */
  static Runnable begin(Replica replica, String member) {
    synchronized (NOTED) {
      NOTED.put(replica, member);
    }
    return () -> {
      synchronized (NOTED) {
        NOTED.remove(replica);
      }
      of(replica.metrics(), member).commit();
    };
  }

  /** Number of replicas whose metrics are noted. */
  static int noted() {
    synchronized (NOTED) {
      return NOTED.size();
    }
  }

  private static void noteAll() {
    Map<Replica, String> present;
    synchronized (NOTED) {
      present = new HashMap<>(NOTED);
    }
    present.forEach((replica, member) -> of(replica.metrics(), member).commit());
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
