package org.terrace.cluster.controller.proof;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Acknowledged;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Committing;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Lists;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Refused;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Register;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Stale;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Transfer;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Unknown;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Work;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.testing.Seeds;
import org.terrace.testing.isolation.ListStep;

/**
 * Clients that write until they are told to end, or their process is killed. They tell what each is
 * about to commit and how that ended: on standard output where the process owns the cluster, too.
 */
final class ProofClients {
  /** The way to the cluster. */
  interface Source {
    /** A connection for a client. */
    Connection connect(int client) throws SQLException;

    /** Is told that a client's next step is a commit. */
    default void beforeCommit(int client) {}
  }

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
  private static final int STEPS_MAX = 4;
  private static final long PAUSE_AFTER_FAILURE_NANOS = 20_000_000;
  private static final int AMOUNT_MAX = 50;
  private static final String OUTCOME_UNKNOWN = "08007";

  private final Source source;
  private final Consumer<ClientTransactionLine> teller;
  private final AtomicLong numbers;
  private final long seed;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  /** Clients that have not begun, the numbers of whose transactions follow on a first one. */
  ProofClients(Source source, Consumer<ClientTransactionLine> teller, long firstNumber, long seed) {
    this.source = source;
    this.teller = teller;
    this.numbers = new AtomicLong(firstNumber);
    this.seed = seed;
  }

  /** Arguments: the cluster's URL, the user, the first number of a transaction, the seed. */
  public static void main(String[] arguments) throws Exception {
    ClusterDataSource source = ClusterDataSource.open(arguments[0], arguments[1], "");
    ProofClients clients =
        new ProofClients(
            _ -> source.getConnection(),
            ProofClients::print,
            Long.parseLong(arguments[2]),
            Long.parseLong(arguments[3]));
    System.out.println("ready");
    clients.start();
    new CountDownLatch(1).await();
  }

  private static synchronized void print(ClientTransactionLine line) {
    System.out.println(line);
    System.out.flush();
  }

  void start() {
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      threads.add(Thread.ofPlatform().daemon().start(() -> runClient(number)));
    }
  }

  /** Lets each come to the end of its transaction. */
  void end() throws InterruptedException {
    tellToEnd();
    for (Thread thread : threads) {
      thread.join(ClusterUnderFire.LONGEST);
    }
  }

  void tellToEnd() {
    over = true;
  }

  private void runClient(int client) {
    RandomGenerator random = Seeds.generator(seed + client);
    while (!over) {
      try (Connection connection = source.connect(client)) {
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
    private int isolation = Connection.TRANSACTION_READ_COMMITTED;
    private long registered;

    Session(Connection connection, int client, RandomGenerator random) {
      this.connection = connection;
      this.client = client;
      this.random = random;
    }

    /** Runs transactions until one fails otherwise than by being asked to run again. */
    void run() throws SQLException {
      while (!over) {
        long id = numbers.incrementAndGet();
        if (commits(id)) {
          // Not of that transaction any more: what fails here is no word on its end.
          checkRegister();
        }
      }
    }

    private boolean commits(long id) throws SQLException {
      try {
        Work work =
            switch (random.nextInt(4)) {
              case 0 -> transfer(id);
              case 1 -> lists(id);
              case 2 -> snapshot(id);
              default -> register(id);
            };
        teller.accept(new Committing(id, work));
        source.beforeCommit(client);
        connection.commit();
        teller.accept(new Acknowledged(id));
        if (work instanceof Register) {
          registered = id;
        }
        return true;
      } catch (SQLException e) {
        fail(id, e);
        return false;
      }
    }

    private void fail(long id, SQLException failure) throws SQLException {
      String state = failure.getSQLState() == null ? "none" : failure.getSQLState();
      teller.accept(state.equals(OUTCOME_UNKNOWN) ? new Unknown(id) : new Refused(id, state));
      connection.rollback();
      if (!state.startsWith("40")) {
        throw failure;
      }
    }

    private void isolate(int level) throws SQLException {
      if (isolation != level) {
        connection.setTransactionIsolation(level);
        isolation = level;
      }
    }

    private Work transfer(long id) throws SQLException {
      isolate(Connection.TRANSACTION_READ_COMMITTED);
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

    /** Reads and appends to lists, to one of them now and then twice. */
    private Work lists(long id) throws SQLException {
      isolate(Connection.TRANSACTION_READ_COMMITTED);
      List<ListStep> steps = new ArrayList<>();
      int many = 2 + random.nextInt(STEPS_MAX - 1);
      for (int i = 0; i < many; i++) {
        int list = firstList(id) + random.nextInt(LISTS_AT_A_TIME);
        if (random.nextBoolean()) {
          long element = id * STEPS_MAX + i;
          update(
              "UPDATE list SET elements = concat(elements, ?) WHERE id = ?", element + ",", list);
          steps.add(new ListStep.Append(list, element));
        } else {
          steps.add(read(list));
        }
      }
      return new Lists(false, steps);
    }

    /** Reads all lists of a time, and the sum of all balances, as they were at one moment. */
    private Work snapshot(long id) throws SQLException {
      isolate(Connection.TRANSACTION_REPEATABLE_READ);
      List<ListStep> steps = new ArrayList<>();
      int first = random.nextInt(LISTS_AT_A_TIME);
      for (int i = 0; i < LISTS_AT_A_TIME; i++) {
        steps.add(read(firstList(id) + (first + i) % LISTS_AT_A_TIME));
      }
      long sum = Long.parseLong(one("SELECT SUM(balance) FROM account WHERE id > ?", 0));
      if (sum != ACCOUNTS * HistoryJudge.OPENING_BALANCE) {
        teller.accept(new Stale("client " + client + " read balances that add up to " + sum));
      }
      return new Lists(true, steps);
    }

    private ListStep read(int list) throws SQLException {
      String seen = one("SELECT elements FROM list WHERE id = ?", list);
      return new ListStep.Read(list, ClientTransactionLine.elements(seen));
    }

    /** The first list of the time of a transaction; each owner begins with another time. */
    private static int firstList(long id) {
      long mixed = (id / TRANSACTIONS_A_GENERATION * GOLDEN_RATIO) >>> Integer.SIZE;
      return 1 + Math.toIntExact(mixed % GENERATIONS) * LISTS_AT_A_TIME;
    }

    private Work register(long id) throws SQLException {
      isolate(Connection.TRANSACTION_READ_COMMITTED);
      update("UPDATE register SET value = ? WHERE id = ?", id, client);
      return new Register(client);
    }

    private void checkRegister() throws SQLException {
      long seen = Long.parseLong(one("SELECT value FROM register WHERE id = ?", client));
      connection.rollback();
      if (seen < registered) {
        teller.accept(new Stale("client " + client + " wrote " + registered + " and read " + seen));
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
