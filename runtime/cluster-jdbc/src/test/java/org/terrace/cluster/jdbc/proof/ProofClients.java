package org.terrace.cluster.jdbc.proof;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Acknowledged;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Committing;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Lists;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Out;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Refused;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Register;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Stale;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Step;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Transfer;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Work;
import org.terrace.testing.Seeds;

/**
 * The process that owns the cluster, with clients that write until it is killed. It tells on
 * standard output what each is about to commit and how that ended.
 */
final class ProofClients {
  static final int CLIENTS = 4;
  static final int ACCOUNTS = 8;

  /** The lists that clients write at a time. */
  private static final int LISTS_AT_A_TIME = 4;

  /**
   * The number of sets of lists, one after the other, so that none outgrows its column, or what a
   * reader holds.
   */
  private static final int GENERATIONS = 2_000;

  private static final long TRANSACTIONS_A_GENERATION = 500;
  private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;
  static final int LISTS = LISTS_AT_A_TIME * GENERATIONS;
  private static final long LOOK_NANOS = 50_000_000;
  private static final long PAUSE_AFTER_FAILURE_NANOS = 20_000_000;
  private static final int AMOUNT_MAX = 50;

  private final ClusterDataSource source;
  private final AtomicLong numbers;
  private final long seed;

  private ProofClients(ClusterDataSource source, long firstNumber, long seed) {
    this.source = source;
    this.numbers = new AtomicLong(firstNumber);
    this.seed = seed;
  }

  /** Arguments: the cluster's URL, the user, the first number of a transaction, the seed. */
  public static void main(String[] arguments) throws Exception {
    ClusterDataSource source = ClusterDataSource.open(arguments[0], arguments[1], "");
    ProofClients clients =
        new ProofClients(source, Long.parseLong(arguments[2]), Long.parseLong(arguments[3]));
    System.out.println("ready");
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      Thread.ofPlatform().daemon().start(() -> clients.runClient(number));
    }
    clients.watch();
  }

  private static synchronized void tell(ClientTransactionLine line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Tells which servers are out, as often as that changes. */
  private void watch() {
    @Nullable List<String> before = null;
    while (true) {
      List<String> now = source.losses().keySet().stream().sorted().toList();
      if (!now.equals(before)) {
        tell(new Out(now));
        before = now;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void runClient(int client) {
    RandomGenerator random = Seeds.generator(seed + client);
    while (true) {
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        new Session(connection, client, random).run();
      } catch (SQLException e) {
        LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
      }
    }
  }

  /** One connection of a client, which sees its own writes and never an older state again. */
  private final class Session {
    private final Connection connection;
    private final int client;
    private final RandomGenerator random;
    private long registered;

    Session(Connection connection, int client, RandomGenerator random) {
      this.connection = connection;
      this.client = client;
      this.random = random;
    }

    /** Runs transactions until one fails otherwise than by being asked to run again. */
    void run() throws SQLException {
      while (true) {
        long id = numbers.incrementAndGet();
        try {
          Work work =
              switch (random.nextInt(3)) {
                case 0 -> transfer(id);
                case 1 -> lists(id);
                default -> register(id);
              };
          tell(new Committing(id, work));
          connection.commit();
          tell(new Acknowledged(id));
          if (work instanceof Register) {
            registered = id;
          }
          checkRegister();
        } catch (SQLException e) {
          fail(id, e);
        }
      }
    }

    private void fail(long id, SQLException failure) throws SQLException {
      String state = failure.getSQLState() == null ? "none" : failure.getSQLState();
      tell(new Refused(id, state));
      connection.rollback();
      if (!state.startsWith("40")) {
        throw failure;
      }
    }

    private Work transfer(long id) throws SQLException {
      int from = 1 + random.nextInt(ACCOUNTS);
      int to = 1 + (from + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      long amount = 1L + random.nextInt(AMOUNT_MAX);
      String move = "UPDATE account SET balance = balance + ? WHERE id = ?";
      update(move, -amount, from);
      update(
          "INSERT INTO transfer (id, source, target, amount) VALUES (?, ?, ?, ?)",
          id,
          from,
          to,
          amount);
      update(move, amount, to);
      return new Transfer(from, to, amount);
    }

    private Work lists(long id) throws SQLException {
      List<Step> steps = new ArrayList<>();
      int generation = generation(id);
      int first = random.nextInt(LISTS_AT_A_TIME);
      for (int i = 0; i < 2; i++) {
        int other = i * (1 + random.nextInt(LISTS_AT_A_TIME - 1));
        int list = 1 + generation * LISTS_AT_A_TIME + (first + other) % LISTS_AT_A_TIME;
        if (random.nextBoolean()) {
          update("UPDATE list SET elements = concat(elements, ?) WHERE id = ?", id + ",", list);
          steps.add(new Step(list, null));
        } else {
          String seen = one("SELECT elements FROM list WHERE id = ?", list);
          steps.add(new Step(list, ClientTransactionLine.elements(seen)));
        }
      }
      return new Lists(steps);
    }

    /** The generation of lists that a transaction writes; each owner begins with another. */
    private static int generation(long id) {
      long mixed = (id / TRANSACTIONS_A_GENERATION * GOLDEN_RATIO) >>> Integer.SIZE;
      return Math.toIntExact(mixed % GENERATIONS);
    }

    private Work register(long id) throws SQLException {
      update("UPDATE register SET value = ? WHERE id = ?", id, client);
      return new Register(client);
    }

    private void checkRegister() throws SQLException {
      long seen = Long.parseLong(one("SELECT value FROM register WHERE id = ?", client));
      connection.rollback();
      if (seen < registered) {
        tell(new Stale("client " + client + " wrote " + registered + " and read " + seen));
      }
      registered = Math.max(registered, seen);
    }

    private void update(String sql, Object... values) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        if (statement.executeUpdate() != 1) {
          throw new IllegalStateException(sql + " met no row");
        }
      }
    }

    private String one(String sql, int id) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setInt(1, id);
        try (ResultSet rows = statement.executeQuery()) {
          rows.next();
          return rows.getString(1);
        }
      }
    }
  }
}
