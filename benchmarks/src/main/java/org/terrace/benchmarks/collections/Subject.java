package org.terrace.benchmarks.collections;

import com.google.errorprone.annotations.Immutable;
import java.util.Locale;
import org.terrace.benchmarks.collections.peers.HazelcastMap;
import org.terrace.benchmarks.collections.peers.TerraceMap;
import org.terrace.collections.WriteLevel;

/** What is measured, and what its puts have achieved when they return. */
enum Subject {
  TERRACE_LOCAL("", Level.LOCAL, place -> new TerraceMap(place, WriteLevel.LOCAL)),
  TERRACE_TWO("", Level.TWO, place -> new TerraceMap(place, WriteLevel.replicas(2))),
  TERRACE_ALL("", Level.ALL, place -> new TerraceMap(place, WriteLevel.ALL)),
  HAZELCAST_REPLICATED_MAP("5.7.0", Level.OWNER, place -> new HazelcastMap(place, true)),
  HAZELCAST_IMAP("5.7.0", Level.ALL, place -> new HazelcastMap(place, false));

  /** Opens a server's part of a subject. */
  @Immutable
  @FunctionalInterface
  interface Opening {
    SharedMap open(Place place) throws Exception;
  }

  private final String version;
  private final Level level;
  private final Opening opening;

  Subject(String version, Level level, Opening opening) {
    this.version = version;
    this.level = level;
    this.opening = opening;
  }

  String version() {
    return version;
  }

  Level level() {
    return level;
  }

  boolean isTerrace() {
    return name().startsWith("TERRACE");
  }

  SharedMap open(Place place) throws Exception {
    return opening.open(place);
  }

  /** The name in reports, without the level, which has a place of its own. */
  @Override
  public String toString() {
    return isTerrace() ? "terrace" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
