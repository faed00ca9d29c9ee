package org.terrace.cluster.controller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The ledger of commits: a table of the database in which each transaction writes its name, so that
 * it is there if, and only if, the transaction took effect, at whichever server and under whichever
 * controller. Who asks for a name that is not there writes it as undone, after which the
 * transaction can never commit.
 *
 * <p>A name begins with the number of the ledger's turn in which it was made. The ledger itself has
 * the number of its present turn and of the first one that is not forgotten, which is changed in
 * the transaction that forgets. So no clock decides what a missing row means: clocks say when a
 * turn ends, and nothing else. A turn is not forgotten while a statement with a name of it, or of
 * an earlier one, is under way here; other controllers have none that could still commit.
 * Thread-safe.
 */
final class CommitLedger {
  /** A name is kept for so many turns. */
  static final int KEPT_TURNS = 30;

  private static final Logger LOG = System.getLogger(CommitLedger.class.getName());
  private static final Pattern NAME = Pattern.compile("([0-9]{1,15})-[0-9A-Za-z-]{1,40}");
  private static final Pattern RESERVED =
      Pattern.compile("terrace_?ledger", Pattern.CASE_INSENSITIVE);
  private static final String INFO = "terrace.ledger";

  // Rows that are no names of transactions, which MARK tells.
  private static final String PRESENT = "present";
  private static final String FIRST = "first";
  private static final int MARK = 2;

  private final DataSource source;
  private final String table;
  private final boolean mariaDb;
  private final AtomicBoolean used = new AtomicBoolean(true);
  private final ReentrantLock lock = new ReentrantLock();

  /** The number of statements that are under way here with names of each turn. */
  private final TreeMap<Long, Integer> underWay = new TreeMap<>();

  private long present;
  private long first;

  /** The first turn that the database has; never later than {@link #first}. */
  private long firstKept;

  private CommitLedger(DataSource source, boolean mariaDb) {
    this.source = source;
    this.mariaDb = mariaDb;
    this.table = mariaDb ? "terraceledger" : "terrace_ledger.terraceledger";
  }

  /** The ledger of a database, which is made if it is not there. */
  static CommitLedger open(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      CommitLedger ledger = new CommitLedger(source, isMariaDb(connection));
      if (!ledger.isThere(connection)) {
        ledger.make(connection);
      }
      ledger.begin(connection);
      return ledger;
    }
  }

  /** Whether definitions stay though their transactions are undone. */
  static boolean isMariaDb(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().contains("MariaDB");
  }

  /** Refuses a text of an application that names the ledger, in whatever way. */
  static void checkNotNamed(String text) throws SQLException {
    if (RESERVED.matcher(text).find()) {
      throw new SQLException(
          "The names 'terraceledger' and 'terrace_ledger' are reserved for the controller's ledger of commits, and stand in no statement; a value with such a text is to be a parameter.",
          "42939");
    }
  }

  private boolean isThere(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT name, turn, kept FROM " + table + " WHERE 1 = 0")) {
      return !rows.next();
    } catch (SQLException e) {
      return false;
    }
  }

  private void make(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!mariaDb) {
        statement.executeUpdate("CREATE SCHEMA IF NOT EXISTS terrace_ledger");
      }
      statement.executeUpdate(
          "CREATE TABLE IF NOT EXISTS %s (name varchar(64) NOT NULL PRIMARY KEY, turn bigint NOT NULL, kept int NOT NULL)"
              .formatted(table));
      statement.executeUpdate("CREATE INDEX terraceledger_turn ON %s (turn)".formatted(table));
    }
  }

  private void begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    // Who writes first reads what all others have written, and not an older state.
    AskedLedger unasked = new AskedLedger();
    enter(connection, PRESENT, 1, MARK, unasked);
    enter(connection, FIRST, 0, MARK, unasked);
    Map<String, long[]> marks = read(connection, PRESENT);
    present = of(marks, PRESENT)[0];
    first = of(marks, FIRST)[0];
    firstKept = first;
    connection.commit();
  }

  /** Writes a row unless its name is there, under a lock of the whole ledger. */
  private void enter(Connection connection, String name, long turn, int kept, AskedLedger asked)
      throws SQLException {
    String insert =
        "INSERT %sINTO %s (name, turn, kept) VALUES (?, ?, ?)%s"
            .formatted(mariaDb ? "IGNORE " : "", table, mariaDb ? "" : " ON CONFLICT DO NOTHING");
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, name);
      statement.setLong(2, turn);
      statement.setInt(3, kept);
      asked.waits(statement);
      statement.executeUpdate();
    } finally {
      asked.waits(null);
    }
  }

  /** The marks and the row of a name: turn, and whether it is kept. */
  private Map<String, long[]> read(Connection connection, String name) throws SQLException {
    Map<String, long[]> read = new HashMap<>();
    String query = "SELECT name, turn, kept FROM %s WHERE name IN (?, ?, ?)".formatted(table);
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, PRESENT);
      statement.setString(2, FIRST);
      statement.setString(3, name);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          read.put(rows.getString(1), new long[] {rows.getLong(2), rows.getLong(3)});
        }
      }
    }
    return read;
  }

  private static long[] of(Map<String, long[]> read, String name) throws SQLException {
    long[] row = read.get(name);
    if (row == null) {
      throw new SQLException("The ledger does not have '" + name + "'.", "58000");
    }
    return row;
  }

  private static long turnOf(String name) throws SQLException {
    Matcher form = NAME.matcher(name);
    if (!form.matches()) {
      throw new SQLException("'" + name + "' is no name of a transaction.", "07001");
    }
    return Long.parseLong(form.group(1));
  }

  /** The number of the turn in which names are made now. */
  long present() {
    lock.lock();
    try {
      return present;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets the next commit of a connection write a name; empty: none. The name's turn is kept until
   * the statement {@linkplain #leave is over}.
   */
  void name(Connection connection, String name) throws SQLException {
    if (name.isEmpty()) {
      connection.setClientInfo(INFO, null);
      return;
    }
    long turn = turnOf(name);
    connection.setClientInfo(INFO, table + "/" + name);
    used.set(true);
    lock.lock();
    try {
      if (turn < first || turn > present) {
        throw new SQLTransactionRollbackException(
            "The transaction's name is not of this time: try the transaction again.", "40001");
      }
      underWay.merge(turn, 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  /** Ends what {@link #name} began, once the statement can commit no more. */
  void leave(String name) throws SQLException {
    if (!name.isEmpty()) {
      long turn = turnOf(name);
      lock.lock();
      try {
        underWay.computeIfPresent(turn, (key, many) -> many == 1 ? null : many - 1);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Whether a transaction of a connection has committed since it was given a name. */
  static boolean hasCommitted(Connection connection) throws SQLException {
    return connection.getClientInfo(INFO) == null;
  }

  /** The outcome of the transaction of a name, which stays so from now on. */
  int outcome(String name) throws SQLException {
    return outcome(name, new AskedLedger());
  }

  /**
   * The outcome of the transaction of a name, which stays so from now on.
   *
   * @param asked what gives the question up while it waits for who is committing
   */
  int outcome(String name, AskedLedger asked) throws SQLException {
    long turn = turnOf(name);
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      // The statement locks the whole ledger: who is committing with this name comes to an end, and
      // nobody forgets meanwhile.
      enter(connection, name, turn, 0, asked);
      Map<String, long[]> read = read(connection, name);
      long kept = of(read, name)[1];
      if (turn < of(read, FIRST)[0] || turn > of(read, PRESENT)[0]) {
        connection.rollback();
        return CommitOutcome.FORGOTTEN;
      }
      connection.commit();
      return kept == 1 ? CommitOutcome.COMMITTED : CommitOutcome.UNDONE;
    }
  }

  /** Ends a turn, and forgets those that are old, unless nothing was entered in this one. */
  void turn() {
    if (!used.getAndSet(false)) {
      return;
    }
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      change(connection, "UPDATE %s SET turn = turn + 1 WHERE name = 'present'");
      long next = of(read(connection, PRESENT), PRESENT)[0];
      connection.commit();
      for (long until = until(next); firstKept < until; firstKept++) {
        change(connection, "UPDATE %s SET turn = turn + 1 WHERE name = 'first'");
        change(connection, "DELETE FROM %%s WHERE turn <= %d AND kept < 2".formatted(firstKept));
        connection.commit();
      }
    } catch (SQLException e) {
      used.set(true);
      LOG.log(Level.DEBUG, "The ledger of commits keeps old names: {0}", e.getMessage());
    }
  }

  /** Begins a turn; gives the first that is to be kept, from which on names are taken from now. */
  private long until(long next) {
    lock.lock();
    try {
      present = next;
      long wanted = next - KEPT_TURNS;
      first = Math.max(first, underWay.isEmpty() ? wanted : Math.min(wanted, underWay.firstKey()));
      return first;
    } finally {
      lock.unlock();
    }
  }

  private void change(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql.formatted(table));
    }
  }
}
