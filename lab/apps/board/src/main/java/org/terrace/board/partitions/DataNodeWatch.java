package org.terrace.board.partitions;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The watch over the data nodes of an NDB-like database: while one cannot serve its partition, the
 * SQL nodes are told that its partner does. Spider has no such watch that is maintained. Confined
 * to one thread.
 *
 * <p>{@link WatchState} decides; here nodes are asked and SQL nodes told. A node cannot serve that
 * twice in a row refused, broke, did not answer within two seconds, or said that it is no member of
 * a group with the majority. Once it is a member again, as after a cut or a moment without a
 * processor, it gets its partition back. Statements under way at the moment fail, and transactions
 * of which a part was committed there stay so at the others.
 */
public final class DataNodeWatch implements AutoCloseable {
  private static final int LONGEST_ANSWER_MILLIS = 2_000;
  private static final String STATUS =
      "SELECT variable_name, variable_value FROM information_schema.global_status"
          + " WHERE variable_name IN"
          + " ('WSREP_READY', 'WSREP_CLUSTER_STATUS', 'WSREP_LOCAL_STATE', 'WSREP_GCOMM_UUID',"
          + " 'WSREP_CLUSTER_CONF_ID')";

  private final NdbLikeDatabase database;
  private final Map<Integer, Connection> asked = new ConcurrentHashMap<>();
  private WatchState state;

  /**
   * A watch over all data nodes of a database. Where a watch before it handed a partition over, it
   * goes on from there.
   */
  public DataNodeWatch(NdbLikeDatabase database) {
    this.database = database;
    this.state = WatchState.ofNodes(database.dataNodes().size(), database.sqlNodes().size());
  }

  /** The data nodes that an SQL node asks for the partitions; none if it is away. */
  private List<Integer> askedNodes(int sqlNode) {
    try {
      List<Integer> nodes =
          database.asked(database.sqlNodes().get(sqlNode)).stream()
              .map(database.dataNodes()::indexOf)
              .toList();
      return nodes.size() == database.dataNodes().size() ? nodes : List.of();
    } catch (SQLException e) {
      return List.of();
    }
  }

  private void hearSqlNodes() {
    List<Integer> unheard = state.unheard();
    List<List<Integer>> asked = atOnce(unheard, this::askedNodes);
    for (int each = 0; each < asked.size(); each++) {
      if (!asked.get(each).isEmpty()) {
        state = state.afterHearing(unheard.get(each), asked.get(each));
      }
    }
  }

  /**
   * The answers to one question to each of several nodes, which takes as long as the slowest: each
   * may need all of its time, in which nobody else would be asked.
   */
  private static <T, R> List<R> atOnce(List<T> nodes, Function<T, R> question) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return nodes.stream()
          .map(node -> CompletableFuture.supplyAsync(() -> question.apply(node), threads))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    }
  }

  /**
   * Looks at each data node once, and asks each SQL node that did not say yet where it asks.
   *
   * @return a sentence for each change
   */
  public List<String> look() {
    hearSqlNodes();
    List<Integer> nodes = IntStream.range(0, database.dataNodes().size()).boxed().toList();
    List<Sight> sights = atOnce(nodes, this::ask);
    WatchState.Step step = state.after(sights);
    state = step.state();
    List<String> said = new ArrayList<>();
    step.findings().forEach(finding -> said.add(sentence(finding)));
    List<List<WatchState.Order>> bySqlNode =
        List.copyOf(
            step.orders().stream()
                .collect(Collectors.groupingBy(WatchState.Order::sqlNode))
                .values());
    for (WatchState.Order order :
        atOnce(bySqlNode, this::told).stream().flatMap(List::stream).toList()) {
      state = state.afterTelling(order);
      if (state.isToBeSaid(order.partition())) {
        state = state.afterSaying(order.partition());
        said.add(handedOver(order.partition(), order.node()));
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
   * The orders to one SQL node that it knows, all or none; one that is away or busy is told again
   * at the next look.
   */
  private List<WatchState.Order> told(List<WatchState.Order> orders) {
    Map<Integer, String> places = new TreeMap<>();
    orders.forEach(
        order -> places.put(order.partition() + 1, database.dataNodes().get(order.node())));
    try {
      database.serve(database.sqlNodes().get(orders.getFirst().sqlNode()), places);
      return orders;
    } catch (SQLException e) {
      return List.of();
    }
  }

  private String handedOver(int partition, int node) {
    int other = WatchState.partner(node);
    WatchedNode left = state.nodes().get(other);
    return node == partition && !left.suspected()
        ? "%s is a member of its group again: it serves its partition".formatted(name(node))
        : "%s %s: the one at %s serves partition %d"
            .formatted(name(other), left.reason(), database.dataNodes().get(node), partition + 1);
  }

  private String sentence(WatchState.Finding finding) {
    int node = finding.node();
    int partner = WatchState.partner(node);
    return switch (finding.kind()) {
      case STARTED_ANEW -> "%s %s".formatted(name(node), state.nodes().get(node).reason());
      case SERVES_AGAIN ->
          "%s is a member of its group again: it serves what it is asked for".formatted(name(node));
      case NOBODY_SERVES ->
          "%s %s, and %s %s: nobody serves their partitions until one of them answers"
              .formatted(
                  name(node),
                  state.nodes().get(node).reason(),
                  name(partner),
                  state.nodes().get(partner).reason());
      case BOTH_HAVE_ENDED ->
          "%s and %s refused connections %d times in a row: if both have ended, their rows are gone"
              .formatted(name(node), name(partner), WatchState.REFUSALS_UNTIL_ENDED);
    };
  }

  private String name(int node) {
    return "data node %d at %s".formatted(node + 1, database.dataNodes().get(node));
  }

  private Sight ask(int node) {
    try {
      Connection connection = asked.get(node);
      if (connection == null) {
        connection = database.connect(database.dataNodes().get(node), LONGEST_ANSWER_MILLIS);
        asked.put(node, connection);
      }
      Map<String, String> status = new HashMap<>();
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(STATUS)) {
        while (rows.next()) {
          status.put(rows.getString(1), rows.getString(2));
        }
      }
      return Sight.of(status);
    } catch (SQLException e) {
      forget(node);
      return isRefusal(e) ? Sight.Away.REFUSES : Sight.Away.SILENT;
    }
  }

  /** Whether the node's machine said that nobody listens. */
  private static boolean isRefusal(SQLException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ConnectException refused
          && String.valueOf(refused.getMessage()).contains("refused")) {
        return true;
      }
    }
    return false;
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
