package org.terrace.invocation.retention.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Invocation;

/**
 * Accounts that write a row for each time they are executed: a second execution leaves a second.
 */
final class DatabaseAccounts implements Accounts {
  static final int ACCOUNTS = 4;
  private static final int LONGEST_WORK_NANOS = 2_000_000;

  static void create(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL)");
      statement.execute(
          "CREATE TABLE effect (client bigint NOT NULL, sequence bigint NOT NULL,"
              + " amount bigint NOT NULL, balance bigint NOT NULL)");
      for (int account = 0; account < ACCOUNTS; account++) {
        statement.execute("INSERT INTO account VALUES (" + account + ", 0)");
      }
      connection.commit();
    }
  }

  @Override
  public long add(int account, long amount) {
    Invocation call = Invocation.current();
    try {
      return add(call, account, amount);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long add(Invocation call, int account, long amount) throws SQLException {
    Connection connection = call.connection();
    try (var update =
        connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
      update.setLong(1, amount);
      update.setInt(2, account);
      update.executeUpdate();
    }
    LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LONGEST_WORK_NANOS));
    long balance;
    try (var query = connection.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
      query.setInt(1, account);
      try (var row = query.executeQuery()) {
        row.next();
        balance = row.getLong(1);
      }
    }
    try (var insert =
        connection.prepareStatement(
            "INSERT INTO effect (client, sequence, amount, balance) VALUES (?, ?, ?, ?)")) {
      insert.setLong(1, call.identity().client());
      insert.setLong(2, call.identity().sequence());
      insert.setLong(3, amount);
      insert.setLong(4, balance);
      insert.executeUpdate();
    }
    if (amount % UNLUCKY_AMOUNT == 0) {
      throw new BusinessException(UNLUCKY, "The amount " + amount + " brings bad luck.");
    }
    return balance;
  }
}
