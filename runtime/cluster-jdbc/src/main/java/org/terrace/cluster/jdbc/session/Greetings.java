package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.recovery.CatchUp;
import org.terrace.cluster.jdbc.recovery.DonorCopy;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.SchemaSnapshot;
import org.terrace.cluster.server.dialect.ServerSettings;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.recovery.log.RecoveryLog;

/**
 * The first words of all servers of a cluster, heard at one time.
 *
 * @param reached what each server that answers says
 * @param missing why each other does not
 */
record Greetings(Map<ReplicaServer, Greeting> reached, Map<ReplicaServer, String> missing) {

  /** The state in which a server is found. */
  record Greeting(SchemaSnapshot schema, ReplicaMemory memory, ServerSettings settings) {}

  static Greetings of(List<ReplicaServer> replicas, EngineDialect dialect) throws SQLException {
    Map<ReplicaServer, Future<Greeting>> answers = new TreeMap<>(ReplicaServer.IN_ORDER);
    Map<ReplicaServer, Greeting> reached = new TreeMap<>(ReplicaServer.IN_ORDER);
    Map<ReplicaServer, String> missing = new TreeMap<>(ReplicaServer.IN_ORDER);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (ReplicaServer replica : replicas) {
        answers.put(replica, executor.submit(() -> greet(replica, dialect)));
      }
      for (ReplicaServer replica : replicas) {
        Future<Greeting> answer = answers.get(replica);
        if (answer != null) {
          hear(replica, answer, reached, missing);
        }
      }
    }
    return new Greetings(reached, missing);
  }

  private static void hear(
      ReplicaServer replica,
      Future<Greeting> answer,
      Map<ReplicaServer, Greeting> reached,
      Map<ReplicaServer, String> missing)
      throws SQLException {
    try {
      reached.put(replica, answer.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while opening.", SqlStates.CANNOT_CONNECT, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String reason = String.valueOf(cause.getMessage()).strip();
      if (cause instanceof SQLException failure && FailureKind.of(failure) == FailureKind.LOST) {
        missing.put(replica, reason);
        return;
      }
      throw new SQLException(
          "The cluster cannot be opened because its server %s refuses: %s."
              .formatted(replica.name(), reason),
          SqlStates.CANNOT_CONNECT,
          cause);
    }
  }

  static Greeting greet(ReplicaServer replica, EngineDialect dialect) throws SQLException {
    try (Connection connection = replica.ask()) {
      return greet(connection, dialect);
    }
  }

  static Greeting greet(Connection connection, EngineDialect dialect) throws SQLException {
    OwnTables tables = new OwnTables(dialect);
    tables.make(connection);
    return new Greeting(
        dialect.schema(connection),
        tables.read(connection),
        ServerSettings.of(dialect.engine(), connection));
  }

  /** The memories of the servers that answer, by their names. */
  Map<String, ReplicaMemory> memories() {
    Map<String, ReplicaMemory> memories = new TreeMap<>();
    reached.forEach((replica, said) -> memories.put(replica.name(), said.memory()));
    return memories;
  }

  /** The number of the last view that a server remembers; 0: it does not answer. */
  long lastView(ReplicaServer replica) {
    Greeting greeting = reached.get(replica);
    return greeting == null ? 0 : greeting.memory().view();
  }

  /**
   * The names of the servers that cannot go on by a log, but by a copy.
   *
   * @param named all servers of the cluster
   */
  Set<String> copiedInto(DonorCopy copy, RecoveryLog log, List<String> named) {
    Set<String> copied = new TreeSet<>();
    reached.forEach((replica, said) -> {
      List<String> others = new ArrayList<>(named);
      others.remove(replica.name());
      Optional<String> lack = CatchUp.lack(said.memory(), log);
      String identity = log.identity().toString();
      if (lack.isPresent()
          && copy.refusal(lack.get(), said.memory(), said.schema(), identity, others).isEmpty()) {
        copied.add(replica.name());
      }
    });
    return copied;
  }

  /** Refuses servers of unequal versions or settings. */
  void checkVersions() throws SQLException {
    List<ReplicaServer> replicas = new ArrayList<>(reached.keySet());
    for (ReplicaServer other : replicas) {
      compare(replicas.getFirst(), other, true);
    }
  }

  /** Refuses servers of unequal schemas. */
  void checkSchemas(List<ReplicaServer> members) throws SQLException {
    for (ReplicaServer other : members) {
      compare(members.getFirst(), other, false);
    }
  }

  private void compare(ReplicaServer one, ReplicaServer other, boolean versions)
      throws SQLException {
    Greeting first = reached.get(one);
    Greeting second = reached.get(other);
    if (first == null || second == null) {
      throw new IllegalArgumentException("a server is compared that was not reached");
    }
    String difference =
        versions
            ? first.schema().versionDifference(one.name(), second.schema(), other.name())
            : first.schema().difference(one.name(), second.schema(), other.name());
    if (versions && difference.isEmpty()) {
      difference = first.settings().difference(one.name(), second.settings(), other.name());
    }
    if (!difference.isEmpty()) {
      throw new SQLException(
          "The cluster cannot be opened because its servers differ: " + difference,
          SqlStates.CANNOT_CONNECT);
    }
  }
}
