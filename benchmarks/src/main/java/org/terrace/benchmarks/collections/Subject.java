package org.terrace.benchmarks.collections;

import com.google.errorprone.annotations.Immutable;
import java.sql.SQLException;
import java.util.Locale;
import org.terrace.benchmarks.collections.peers.HazelcastMap;
import org.terrace.benchmarks.collections.peers.InfinispanMap;
import org.terrace.benchmarks.collections.peers.JGroupsMap;
import org.terrace.benchmarks.collections.peers.JdbcMap;
import org.terrace.benchmarks.collections.peers.PekkoMap;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.benchmarks.collections.peers.RedisMap;
import org.terrace.benchmarks.collections.peers.SharedMap;
import org.terrace.benchmarks.collections.peers.TerraceMap;
import org.terrace.collections.replication.WriteLevel;

/** A measured system, with the level of acknowledgement of its puts. */
enum Subject {
  TERRACE_LOCAL("", Level.LOCAL, place -> new TerraceMap(place, WriteLevel.LOCAL)),
  TERRACE_TWO("", Level.TWO, place -> new TerraceMap(place, WriteLevel.replicas(2))),
  TERRACE_ALL("", Level.ALL, place -> new TerraceMap(place, WriteLevel.ALL)),
  TERRACE_ENCRYPTED("", Level.ALL, place -> TerraceMap.encrypted(place, WriteLevel.ALL)),
  HAZELCAST_REPLICATED_MAP("5.7.0", Level.OWNER, place -> new HazelcastMap(place, true)),
  HAZELCAST_IMAP("5.7.0", Level.ALL, place -> new HazelcastMap(place, false)),
  JGROUPS_MAP_TCP("5.5.7", Level.ALL, place -> new JGroupsMap(place, false)),
  JGROUPS_MAP_UDP("5.5.7", Level.ALL, place -> new JGroupsMap(place, true)),
  INFINISPAN_SYNC("16.1.4", Level.ALL, place -> new InfinispanMap(place, true)),
  INFINISPAN_ASYNC("16.1.4", Level.LOCAL, place -> new InfinispanMap(place, false)),
  PEKKO_LOCAL("1.2.1", Level.LOCAL, place -> new PekkoMap(place, false)),
  PEKKO_ALL("1.2.1", Level.ALL, place -> new PekkoMap(place, true)),
  REDIS("", Level.ALL, place -> redis(place, false)),
  REDIS_FAIR_POOL("", Level.ALL, place -> redis(place, true)),
  POSTGRESQL("18.6", Level.DISK, Subject::postgres),
  H2("2.4.240", Level.ONE_COPY, Subject::h2);

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

  private static SharedMap redis(Place place, boolean fair) {
    return new RedisMap(place.host(), Integer.parseInt(place.backing()), fair);
  }

  private static SharedMap postgres(Place place) throws SQLException {
    return new JdbcMap(
        place.backing(),
        "board",
        "insert into objects values (?, ?) on conflict (id) do update set content = excluded.content");
  }

  /** The first server holds the database, the others reach it through H2's own server. */
  private static SharedMap h2(Place place) throws SQLException {
    int port = place.ports().getFirst();
    String url = "jdbc:h2:mem:objects;DB_CLOSE_DELAY=-1";
    if (place.index() == 0) {
      org.h2.tools.Server.createTcpServer("-tcpPort", "" + port, "-ifNotExists").start();
    } else {
      url = "jdbc:h2:tcp://" + place.hosts().getFirst() + ":" + port + "/mem:objects";
    }
    return new JdbcMap(url, "sa", "merge into objects key (id) values (?, ?)");
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

  /** Whether the servers hold nothing themselves. */
  boolean isDatabase() {
    return this == REDIS || this == REDIS_FAIR_POOL || this == POSTGRESQL || this == H2;
  }

  /** Whether it differs from another subject under many clients alone. */
  boolean isForManyClients() {
    return this == REDIS_FAIR_POOL;
  }

  /** Whether it differs from another subject for one client alone. */
  boolean isForOneClient() {
    return this == TERRACE_ENCRYPTED;
  }

  SharedMap open(Place place) throws Exception {
    return opening.open(place);
  }

  /** The name in reports, without the level, which has a place of its own. */
  @Override
  public String toString() {
    return switch (this) {
      case TERRACE_LOCAL, TERRACE_TWO, TERRACE_ALL -> "terrace";
      case TERRACE_ENCRYPTED -> "terrace-encrypted";
      case INFINISPAN_SYNC, INFINISPAN_ASYNC -> "infinispan";
      case PEKKO_LOCAL, PEKKO_ALL -> "pekko";
      case HAZELCAST_REPLICATED_MAP,
          HAZELCAST_IMAP,
          JGROUPS_MAP_TCP,
          JGROUPS_MAP_UDP,
          REDIS,
          REDIS_FAIR_POOL,
          POSTGRESQL,
          H2 ->
          name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }
}
