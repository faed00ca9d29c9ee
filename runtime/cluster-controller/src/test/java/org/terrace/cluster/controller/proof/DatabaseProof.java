package org.terrace.cluster.controller.proof;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Seeds;
import org.terrace.testing.isolation.AnomalyCounts;
import org.terrace.testing.isolation.AnomalyKind;
import org.terrace.testing.isolation.ListHistory;

/**
 * A clustered database under fire: three real servers and the process that owns them, killed,
 * stopped and cut off again and again under transactions, and what clients were told held against
 * what the servers have. Stateless.
 */
public final class DatabaseProof {
  /** The number of servers. */
  static final int SERVERS = 3;

  /**
   * The facts and findings of a proof.
   *
   * @param facts counts by name
   * @param violations what must not have happened
   */
  public record Verdict(Map<String, Long> facts, List<String> violations) {
    /** Copies both. */
    public Verdict {
      facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
      violations = List.copyOf(violations);
    }
  }

  /** A change behind the cluster's back that the judge must find. */
  private enum Planted {
    /** One server lacks what the others have. */
    DROPPED_WRITE("server 2 differs from server 1"),
    /** Another one has what was appended to a list in another order. */
    SWAPPED_ORDER("server 3 differs from server 1"),
    /** No server has what was acknowledged. */
    LOST("lost: the acknowledged transfer"),
    /** Half of a transaction is everywhere. */
    HALF("in part or twice"),
    /** An element is in a list twice, everywhere. */
    TWICE("twice: ");

    private final String finding;

    Planted(String finding) {
      this.finding = finding;
    }

    void plant(RealReplicas servers) throws SQLException {
      switch (this) {
        case DROPPED_WRITE -> change(servers, 1, "DELETE FROM register WHERE id = 0");
        case SWAPPED_ORDER -> swap(servers);
        case LOST -> everywhere(servers, "DELETE FROM transfer WHERE amount > 25");
        case HALF -> everywhere(servers, "UPDATE account SET balance = balance + 1 WHERE id = 1");
        case TWICE -> everywhere(servers, "UPDATE list SET elements = concat(elements, elements)");
      }
    }

    /** Swaps the last two elements of a list at one server. */
    private static void swap(RealReplicas servers) throws SQLException {
      for (Map.Entry<Integer, List<Long>> list : read(servers).get(2).lists().entrySet()) {
        List<Long> elements = new ArrayList<>(list.getValue());
        int last = elements.size() - 1;
        if (last > 0) {
          Collections.swap(elements, last - 1, last);
          String text = String.join(",", elements.stream().map(String::valueOf).toList());
          change(
              servers,
              2,
              "UPDATE list SET elements = '%s,' WHERE id = %d".formatted(text, list.getKey()));
          return;
        }
      }
      throw new IllegalStateException("no list has two elements");
    }

    private static void everywhere(RealReplicas servers, String sql) throws SQLException {
      for (int i = 0; i < SERVERS; i++) {
        change(servers, i, sql);
      }
    }

    private static void change(RealReplicas servers, int server, String sql) throws SQLException {
      try (Connection connection = servers.direct(server);
          Statement statement = connection.createStatement()) {
        if (statement.executeUpdate(sql) == 0) {
          throw new IllegalStateException("nothing to plant by " + sql);
        }
      }
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private DatabaseProof() {}

  /**
   * Strikes so many times, each kind of fault in turn, then lets all servers return and compares.
   * Then plants faults behind the cluster's back and anomalies in the history, each of which must
   * be found.
   *
   * @param engine {@code postgresql} or {@code mariadb}
   * @param access the way by which the clients reach the cluster
   * @param folder for the recovery log and the messages of the owners
   * @param progress is told now and then how far it is
   */
  public static Verdict run(
      long seed,
      int faults,
      String engine,
      ProofAccess access,
      Path folder,
      Consumer<String> progress)
      throws Exception {
    RandomGenerator random = Seeds.generator(seed);
    try (RealReplicas servers = RealReplicas.startDurable(engine, SERVERS)) {
      create(servers);
      List<ClientTransactionLine> told;
      Map<String, Long> facts;
      List<String> violations = new ArrayList<>();
      try (ClusterUnderFire cluster =
          new ClusterUnderFire(servers, engine, access, folder, random)) {
        for (int i = 0; i < faults; i++) {
          cluster.strike();
          progress.accept(
              "%d of %d faults, %d transactions acknowledged"
                  .formatted(i + 1, faults, cluster.acknowledged()));
        }
        violations.addAll(cluster.settle());
        told = cluster.told();
        facts = cluster.facts();
        boolean found = cluster.findsLostLogEnd();
        facts.put("planted lost ends of the log found", found ? 1L : 0L);
        if (!found) {
          violations.add("the planted lost end of the log was not found");
        }
      }
      AnomalyCounts anomalies = new AnomalyCounts();
      List<ServerContent> contents = read(servers);
      violations.addAll(HistoryJudge.violations(told, contents, anomalies));
      facts.putAll(anomalies.facts());
      plantAnomalies(HistoryJudge.lists(told, contents.getFirst()), facts, violations);
      plant(servers, told, facts, violations);
      return new Verdict(facts, violations);
    }
  }

  /** Plants each kind of anomaly in the history: one that is not found would not have been. */
  private static void plantAnomalies(
      ListHistory history, Map<String, Long> facts, List<String> violations) {
    List<AnomalyKind> found = AnomalyCounts.foundWhenPlanted(history);
    facts.put("planted anomalies found", (long) found.size());
    for (AnomalyKind kind : AnomalyKind.values()) {
      if (!found.contains(kind)) {
        violations.add("the planted anomaly '" + kind + "' was not found");
      }
    }
  }

  private static void plant(
      RealReplicas servers,
      List<ClientTransactionLine> told,
      Map<String, Long> facts,
      List<String> violations)
      throws SQLException {
    long found = 0;
    for (Planted planted : Planted.values()) {
      planted.plant(servers);
      if (HistoryJudge.violations(told, read(servers)).stream()
          .anyMatch(violation -> violation.contains(planted.finding))) {
        found++;
      } else {
        violations.add("the planted fault '" + planted + "' was not found");
      }
    }
    facts.put("planted faults found", found);
  }

  private static List<ServerContent> read(RealReplicas servers) throws SQLException {
    List<ServerContent> contents = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      try (Connection connection = servers.direct(i)) {
        contents.add(ServerContent.read(connection));
      }
    }
    return contents;
  }

  private static void create(RealReplicas servers) throws SQLException, IOException {
    for (int i = 0; i < SERVERS; i++) {
      try (Connection connection = servers.direct(i);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE account (id INT PRIMARY KEY, balance BIGINT NOT NULL)");
        statement.execute(
            "CREATE TABLE transfer (id BIGINT PRIMARY KEY, source INT NOT NULL, target INT NOT NULL,"
                + " amount BIGINT NOT NULL)");
        statement.execute("CREATE TABLE list (id INT PRIMARY KEY, elements TEXT NOT NULL)");
        statement.execute("CREATE TABLE register (id INT PRIMARY KEY, value BIGINT NOT NULL)");
        for (int account = 1; account <= ProofClients.ACCOUNTS; account++) {
          statement.executeUpdate(
              "INSERT INTO account VALUES (" + account + ", " + HistoryJudge.OPENING_BALANCE + ")");
        }
        for (int list = 1; list <= ProofClients.LISTS; list++) {
          statement.addBatch("INSERT INTO list VALUES (" + list + ", '')");
        }
        statement.executeBatch();
        for (int client = 0; client < ProofClients.CLIENTS; client++) {
          statement.executeUpdate("INSERT INTO register VALUES (" + client + ", 0)");
        }
      }
    }
  }
}
