package org.terrace.cart;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.terrace.cart.process.DataTimes;
import org.terrace.core.TimeSource;

/**
 * The cart in a database: what Tempest was compared with. Times of the data are those from holding
 * a connection to giving it back, without waiting for one. Thread-safe.
 */
final class DatabaseCart implements ShoppingCart {
  private static final byte[] NOTHING = {};
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String INSERT = "INSERT INTO cart (item, amount, object) VALUES (?, ?, ?)";
  private static final String SELECT = "SELECT amount, object FROM cart WHERE item = ?";

  /** A piece of work on a connection. */
  @FunctionalInterface
  private interface Step<T> {
    T run(Connection connection) throws SQLException;
  }

  private final CartDatabase database;
  private final DataTimes times;
  private final TimeSource time = TimeSource.system();

  DatabaseCart(CartDatabase database, DataTimes times) {
    this.database = database;
    this.times = times;
  }

  private <T> T run(boolean isUpdate, Step<T> step) {
    try (Connection connection = database.connection()) {
      long begin = time.elapsedNanos();
      try {
        return step.run(connection);
      } finally {
        times.add(isUpdate, time.elapsedNanos() - begin);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the database refused: " + e.getMessage(), e);
    }
  }

  @Override
  public int add(String item, int count) {
    SoftCart.checkPositive(count);
    return run(true, connection -> change(connection, item, count, null));
  }

  @Override
  public int remove(String item, int count) {
    SoftCart.checkPositive(count);
    return run(
        true,
        connection -> {
          int there = select(connection, item).count();
          if (there < count) {
            throw SoftCart.tooFew(item, there, count);
          }
          return change(connection, item, -count, null);
        });
  }

  @Override
  public int update(String item, int count) {
    return run(
        true,
        connection -> {
          int before = select(connection, item).count();
          change(connection, item, count - before, null);
          return before;
        });
  }

  @Override
  public int put(String item, byte[] object) {
    return run(true, connection -> change(connection, item, 1, object));
  }

  @Override
  public int check(String item) {
    return get(item).count();
  }

  @Override
  public CartItem get(String item) {
    return run(false, connection -> select(connection, item));
  }

  @Override
  public int burn(int micros) {
    return SoftCart.burn(time, micros);
  }

  private int change(Connection connection, String item, int more, byte @Nullable [] object)
      throws SQLException {
    while (true) {
      try (PreparedStatement statement = connection.prepareStatement(database.kind().change())) {
        statement.setInt(1, more);
        statement.setBytes(2, object);
        statement.setString(3, item);
        try (ResultSet changed = statement.executeQuery()) {
          if (changed.next()) {
            return changed.getInt(1);
          }
        }
      }
      if (insert(connection, item, more, object)) {
        return more;
      }
    }
  }

  /** False if somebody else was first. */
  private static boolean insert(
      Connection connection, String item, int amount, byte @Nullable [] object)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setString(1, item);
      statement.setInt(2, amount);
      statement.setBytes(3, object);
      statement.executeUpdate();
      return true;
    } catch (SQLException e) {
      if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private static CartItem select(Connection connection, String item) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
      statement.setString(1, item);
      try (ResultSet found = statement.executeQuery()) {
        if (!found.next()) {
          return new CartItem(0, NOTHING);
        }
        byte[] object = found.getBytes(2);
        return new CartItem(found.getInt(1), object == null ? NOTHING : object);
      }
    }
  }
}
