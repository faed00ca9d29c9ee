package shop;

import java.sql.Connection;
import java.sql.SQLException;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Invocation;

/**
 * The order book in the database. Each call is one transaction, which Terrace commits together with
 * the call's reply: a call that is sent again, to whichever replica, finds the reply and does
 * nothing twice.
 */
final class OrderBook implements Orders {
  /** The tables, and a product to order. */
  static final String SCHEMA =
      """
      CREATE TABLE products (name text PRIMARY KEY, pieces int NOT NULL);
      CREATE TABLE orders (
          number bigint GENERATED ALWAYS AS IDENTITY, customer text NOT NULL,
          product text NOT NULL, pieces int NOT NULL);
      INSERT INTO products VALUES ('tea', 100000);
      """;

  @Override
  public int place(String customer, String product, int pieces) throws SQLException {
    Connection transaction = Invocation.current().connection();
    int left;
    try (var take =
        transaction.prepareStatement(
            "UPDATE products SET pieces = pieces - ? WHERE name = ? RETURNING pieces")) {
      take.setInt(1, pieces);
      take.setString(2, product);
      var row = take.executeQuery();
      if (!row.next()) {
        throw new BusinessException("unknown-product", "There is no product " + product + ".");
      }
      left = row.getInt(1);
    }
    if (left < 0) { // the refusal undoes the update above
      throw new BusinessException("sold-out", "Fewer than " + pieces + " pieces are left.");
    }
    try (var order =
        transaction.prepareStatement(
            "INSERT INTO orders (customer, product, pieces) VALUES (?, ?, ?)")) {
      order.setString(1, customer);
      order.setString(2, product);
      order.setInt(3, pieces);
      order.executeUpdate();
    }
    return left;
  }

  @Override
  public int countOf(String customer) throws SQLException {
    try (var count =
        Invocation.current()
            .connection()
            .prepareStatement("SELECT count(*) FROM orders WHERE customer = ?")) {
      count.setString(1, customer);
      var row = count.executeQuery();
      row.next();
      return row.getInt(1);
    }
  }
}
