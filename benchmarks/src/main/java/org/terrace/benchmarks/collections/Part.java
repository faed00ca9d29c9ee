package org.terrace.benchmarks.collections;

import java.time.Duration;

/** A part of what is measured of a subject, with the time after which it is given up. */
enum Part {
  /** Three servers that see each other, with all objects. */
  SERVERS("servers", 90),
  /** One client inside a server. */
  LATENCY("put-p50", 30),
  /** Local gets beside those of a plain map. */
  LOCAL_GET("local-get-ns", 30),
  /** Clients that think, inside a server. */
  MIX("mix-throughput", 30),
  /** As many that do not. */
  SATURATED("mix-saturated-throughput", 30),
  /** Clients that think, in a process of their own. */
  REMOTE("remote-mix-throughput", 30),
  /** From a put to the sight of it. */
  VISIBLE("visible-p50", 30),
  /** The heap of an entry. */
  HEAP("heap-bytes-an-entry", 60),
  /** Acknowledged puts after the writer's end. */
  CRASH_LOST("crash-lost", 45),
  /** The longest put when another server ends. */
  CRASH_PAUSE("crash-pause", 45),
  /** A server that joins. */
  NEW_MEMBER("new-member", 45),
  /** The growth of metadata. */
  CHURN("churn-heap-growth", 180),
  /** Additions to a list by two servers in turn. */
  APPEND("append-last-p50", 150),
  /** Two sides of a network, and their reunion. */
  PARTITION("partition-converged", 60),
  /** The same for peers of which some take minutes to unite. */
  PARTITION_AT_LENGTH("partition-converged", 420);

  private final String metric;
  private final int longestSeconds;

  Part(String metric, int longestSeconds) {
    this.metric = metric;
    this.longestSeconds = longestSeconds;
  }

  /** Its main figure, under whose name a report says why there is none. */
  String metric() {
    return metric;
  }

  Duration longest() {
    return Duration.ofSeconds(longestSeconds);
  }
}
