package org.terrace.testing;

import java.util.List;
import java.util.Locale;

/**
 * The causes that hold up a server of {@link HeldTiers}, and the kinds of events that tell them.
 */
public enum HeldBy {
  /** All threads of a JVM stopped to collect garbage. */
  COLLECTOR("app1", Act.PACE, 0, 40, 300, "gc-pause"),
  /** All threads of a JVM stopped for another reason. */
  SAFEPOINT("app1", Act.PACE, 0, 40, 200, "safepoint"),
  /** A monitor that most requests need, and one thread keeps. */
  LOCK("app1", Act.MONITOR, 0, 80, 300, "monitor-wait"),
  /** A quota that withholds more than half of each period. */
  THROTTLING("app1", Act.QUOTA, 0, 300, 900, "cpu-throttled"),
  /** Processors that the hypervisor gives to others. */
  STEAL("db1", Act.PACE, 0.15, 150, 600, "cpu-steal"),
  /** Processors that are busy with others' work. */
  RUN_DELAY("db1", Act.PACE, 0.2, 150, 600, "run-delay"),
  /** Processors at less than half of their clock. */
  FREQUENCY("db1", Act.PACE, 0.3, 500, 1_500, "frequency-low"),
  /** The same at a server that mostly waits for another. */
  APP_FREQUENCY("app1", Act.PACE, 0.3, 500, 1_500, "frequency-low"),
  /** A disk that takes nothing. */
  DISK("db1", Act.DISK, 0, 80, 400, "io-pressure"),
  /** The end of a checkpoint, in which the disk takes nothing else. */
  CHECKPOINT("db1", Act.DISK, 0, 100, 400, "checkpoint-sync", "checkpoint"),
  /** A row that many statements need, and one transaction keeps. */
  ROW_LOCK("db1", Act.ROW, 0, 100, 400, "lock-wait"),
  /** A network that carries nothing to or from a server. */
  NETWORK("db1", Act.LINK, 0, 60, 300, "host-silent", "tcp-timeout", "tcp-retransmission"),
  /** Users who come many at once. */
  BURST("app1", Act.CROWD, 0, 100, 300, "burst"),
  /** A web server that stops, and then passes on at once what came meanwhile. */
  RELEASE("web1", Act.PACE, 0, 120, 350, "gc-pause"),
  /** A job that takes most connections of a pool: nothing tells of it. */
  POOL("app1", Act.POOL, 0, 100, 400),
  /** A process stopped by somebody: nothing tells of it. */
  STOP("app1", Act.PACE, 0, 50, 300);

  /** A way of holding up. */
  enum Act {
    PACE,
    QUOTA,
    MONITOR,
    ROW,
    DISK,
    POOL,
    LINK,
    CROWD
  }

  final Act act;
  final double pace;
  final int shortestMillis;
  final int longestMillis;
  private final String server;
  private final String told;

  HeldBy(String server, Act act, double pace, int shortest, int longest, String... told) {
    this.server = server;
    this.act = act;
    this.pace = pace;
    shortestMillis = shortest;
    longestMillis = longest;
    this.told = String.join(" ", told);
  }

  /** The server that is held up itself. */
  public String server() {
    return server;
  }

  /** The node of the events that tell of it. */
  public String node() {
    return this == BURST ? "clients" : server;
  }

  /** The kinds of events any of which names it rightly; none where nothing tells of it. */
  public List<String> told() {
    return told.isEmpty() ? List.of() : List.of(told.split(" ", -1));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
