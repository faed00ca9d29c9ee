package org.terrace.board.partitions;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The watch over the data nodes of an NDB-like database: when one is lost, the SQL nodes are told
 * that its partner serves its partition. Spider has no such watch that is maintained. Confined to
 * one thread.
 *
 * <p>A node is lost that {@value #MOST_FAILURES} times in a row refused, broke or did not answer
 * within two seconds, or said that it is no member of a group with the majority. It does not get
 * its partition back: nothing fills it again. Statements under way at the moment fail, and
 * transactions of which a part was committed there stay so at the others.
 */
public final class DataNodeWatch implements AutoCloseable {
  private static final int MOST_FAILURES = 2;
  private static final String IS_MEMBER =
      "SELECT variable_value FROM information_schema.global_status"
          + " WHERE variable_name = 'WSREP_READY'";

  private final NdbLikeDatabase database;
  private final Map<Integer, Connection> asked = new HashMap<>();
  private final Map<Integer, Integer> failures = new HashMap<>();
  private final Set<Integer> lost = new HashSet<>();

  /** A watch over all data nodes of a database, none of which is lost so far. */
  public DataNodeWatch(NdbLikeDatabase database) {
    this.database = database;
  }

  /**
   * Looks at each data node once.
   *
   * @return a sentence for each that was found to be lost
   */
  public List<String> look() {
    List<String> said = new ArrayList<>();
    for (int node = 1; node <= database.dataNodes().size(); node++) {
      if (lost.contains(node)) {
        continue;
      }
      if (isMember(node)) {
        failures.remove(node);
      } else {
        int failed = failures.getOrDefault(node, 0) + 1;
        failures.put(node, failed);
        if (failed >= MOST_FAILURES) {
          handOver(node).ifPresent(said::add);
        }
      }
    }
    return said;
  }

  /** Looks again and again, until the thread is interrupted. */
  public void keepLooking(long pauseMillis, Consumer<String> said) throws InterruptedException {
    while (true) {
      look().forEach(said);
      Thread.sleep(pauseMillis);
    }
  }

  @Override
  public void close() {
    List.copyOf(asked.keySet()).forEach(this::forget);
  }

  /**
   * Has all SQL nodes ask the partner of a lost node; empty, and to be tried again: one is away.
   */
  private Optional<String> handOver(int node) {
    String partner = database.partner(node);
    if (lost.contains(database.dataNodes().indexOf(partner) + 1)) {
      lost.add(node);
      return Optional.of(
          "data node %d at %s is lost, and so is its partner: their rows are gone"
              .formatted(node, database.dataNodes().get(node - 1)));
    }
    boolean told = true;
    for (String place : database.sqlNodes()) {
      try {
        database.serve(place, node, partner);
      } catch (SQLException e) {
        // It is told at the next look: an SQL node that is started again asks where it asked
        // before.
        told = false;
      }
    }
    if (!told) {
      return Optional.empty();
    }
    lost.add(node);
    return Optional.of(
        "data node %d at %s is lost: the one at %s serves its partition"
            .formatted(node, database.dataNodes().get(node - 1), partner));
  }

  private boolean isMember(int node) {
    try {
      Connection connection = asked.get(node);
      if (connection == null) {
        connection = database.connect(database.dataNodes().get(node - 1));
        connection.setNetworkTimeout(Runnable::run, 2_000);
        asked.put(node, connection);
      }
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(IS_MEMBER)) {
        return rows.next() && rows.getString(1).equals("ON");
      }
    } catch (SQLException e) {
      forget(node);
      return false;
    }
  }

  private void forget(int node) {
    Connection left = asked.remove(node);
    if (left != null) {
      try {
        left.close();
      } catch (SQLException e) {
        // What is broken need not be closed.
      }
    }
  }
}
