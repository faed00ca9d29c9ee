package org.terrace.invocation.retention.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Invocation;

/**
 * Accounts that write a row for each time they are executed: a second execution leaves a second.
 */
final class DatabaseAccounts implements Accounts {
  static final int ACCOUNTS = 4;
  private static final int LONGEST_WORK_NANOS = 2_000_000;

  private static final List<String> FORMER =
      List.of(
          "DROP TABLE IF EXISTS account",
          "DROP TABLE IF EXISTS effect",
          "DROP TABLE IF EXISTS terrace_reply",
          "DROP TABLE IF EXISTS terrace_client",
          "DROP TABLE IF EXISTS terrace_epoch",
          "DROP PROCEDURE IF EXISTS terrace_open_marked",
          "DROP PROCEDURE IF EXISTS terrace_retain_once");

  private final LongSupplier epochOfCall;

  /** Accounts that write down which epoch each call went by. */
  DatabaseAccounts(LongSupplier epochOfCall) {
    this.epochOfCall = epochOfCall;
  }

  /** Makes the tables, and removes all that an earlier history left. */
  static void create(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : FORMER) {
        statement.execute(sql);
      }
      statement.execute("CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL)");
      statement.execute(
          "CREATE TABLE effect (account int NOT NULL, client bigint NOT NULL,"
              + " sequence bigint NOT NULL, amount bigint NOT NULL, balance bigint NOT NULL,"
              + " epoch bigint NOT NULL)");
      for (int account = 0; account < ACCOUNTS; account++) {
        statement.execute("INSERT INTO account VALUES (" + account + ", 0)");
      }
      connection.commit();
    }
  }

  @Override
  public long add(int account, long amount, long caller, long call) {
    try {
      long balance =
          add(Invocation.current().connection(), account, amount, workNanos(caller, call));
      note(account, amount, caller, call, balance);
      if (amount % UNLUCKY_AMOUNT == 0) {
        throw new BusinessException(UNLUCKY, "The amount " + amount + " brings bad luck.");
      }
      return balance;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same for each execution of a call, so that a history's seed decides on it. */
  private static int workNanos(long caller, long call) {
    return new SplittableRandom(caller * 31 + call).nextInt(LONGEST_WORK_NANOS);
  }

  private static long add(Connection connection, int account, long amount, int workNanos)
      throws SQLException {
    try (var update =
        connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
      update.setLong(1, amount);
      update.setInt(2, account);
      update.executeUpdate();
    }
    LockSupport.parkNanos(workNanos);
    try (var query = connection.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
      query.setInt(1, account);
      try (var row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private void note(int account, long amount, long caller, long call, long balance)
      throws SQLException {
    try (var insert =
        Invocation.current()
            .connection()
            .prepareStatement(
                "INSERT INTO effect (account, client, sequence, amount, balance, epoch)"
                    + " VALUES (?, ?, ?, ?, ?, ?)")) {
      insert.setInt(1, account);
      insert.setLong(2, caller);
      insert.setLong(3, call);
      insert.setLong(4, amount);
      insert.setLong(5, balance);
      insert.setLong(6, epochOfCall.getAsLong());
      insert.executeUpdate();
    }
  }
}
