package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.core.SqlStates;
import org.terrace.cluster.jdbc.replica.EngineDialect;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.replica.SchemaSnapshot;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;

/** The comparison of what all servers of a cluster say before the first statement. */
record ClusterOpening(List<ReplicaServer> replicas, SchemaSnapshot schema, long lastPosition) {

  private record Greeting(SchemaSnapshot schema, long applied, long lastPosition) {}

  static ClusterOpening of(ClusterConfiguration configuration) throws SQLException {
    List<ReplicaServer> replicas = new ArrayList<>();
    for (int i = 0; i < configuration.replicas().size(); i++) {
      replicas.add(new ReplicaServer(i, configuration));
    }
    List<Greeting> greetings = greet(replicas, EngineDialect.of(configuration.engine()));
    Greeting first = greetings.getFirst();
    for (int i = 1; i < greetings.size(); i++) {
      compare(replicas.getFirst(), first, replicas.get(i), greetings.get(i));
    }
    return new ClusterOpening(replicas, first.schema(), first.lastPosition());
  }

  private static List<Greeting> greet(List<ReplicaServer> replicas, EngineDialect dialect)
      throws SQLException {
    List<Future<Greeting>> answers = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      replicas.forEach(replica -> answers.add(executor.submit(() -> greet(replica, dialect))));
      List<Greeting> greetings = new ArrayList<>();
      for (int i = 0; i < answers.size(); i++) {
        greetings.add(answer(replicas.get(i), answers.get(i)));
      }
      return greetings;
    }
  }

  private static Greeting answer(ReplicaServer replica, Future<Greeting> future)
      throws SQLException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while opening.", SqlStates.CANNOT_CONNECT, e);
    } catch (ExecutionException e) {
      throw new SQLException(
          "The cluster cannot be opened because its server %s does not answer (%s): start it, or leave it out of the URL."
              .formatted(replica.name(), reason(e)),
          SqlStates.CANNOT_CONNECT,
          e.getCause());
    }
  }

  private static String reason(ExecutionException failure) {
    Throwable cause = failure.getCause();
    return String.valueOf(cause == null ? failure : cause.getMessage()).strip();
  }

  private static Greeting greet(ReplicaServer replica, EngineDialect dialect) throws SQLException {
    try (Connection connection = replica.connect();
        Statement statement = connection.createStatement()) {
      for (String make : dialect.makeOwn()) {
        statement.execute(make);
      }
      List<@Nullable String> applied =
          EngineDialect.rows(
                  connection,
                  "SELECT count(*), coalesce(max(position), 0) FROM " + dialect.own("applied"))
              .getFirst();
      return new Greeting(
          dialect.schema(connection),
          Long.parseLong(Objects.requireNonNull(applied.get(0))),
          Long.parseLong(Objects.requireNonNull(applied.get(1))));
    }
  }

  private static void compare(
      ReplicaServer one, Greeting first, ReplicaServer other, Greeting second) throws SQLException {
    if (!first.schema().version().equals(second.schema().version())) {
      throw unequal(
          one, other, first.schema().version(), second.schema().version(), "install one version");
    }
    List<String> missing = new ArrayList<>(first.schema().lines());
    missing.removeAll(second.schema().lines());
    List<String> more = new ArrayList<>(second.schema().lines());
    more.removeAll(first.schema().lines());
    if (!missing.isEmpty() || !more.isEmpty()) {
      throw unequal(
          one,
          other,
          missing.isEmpty() ? "nothing like it" : "'" + missing.getFirst() + "'",
          more.isEmpty() ? "nothing like it" : "'" + more.getFirst() + "'",
          "make their schemas equal");
    }
    if (first.applied() != second.applied() || first.lastPosition() != second.lastPosition()) {
      throw unequal(
          one,
          other,
          first.applied() + " transactions up to " + first.lastPosition(),
          second.applied() + " transactions up to " + second.lastPosition(),
          "copy the data of the one that is ahead to the other, or leave the other out of the URL");
    }
  }

  private static SQLException unequal(
      ReplicaServer one, ReplicaServer other, String has, String otherHas, String wayOut) {
    return new SQLException(
        "The cluster cannot be opened because its servers differ: %s has %s, and %s has %s. First %s."
            .formatted(one.name(), has, other.name(), otherHas, wayOut),
        SqlStates.CANNOT_CONNECT);
  }
}
