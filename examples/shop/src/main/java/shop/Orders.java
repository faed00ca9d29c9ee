package shop;

import java.sql.SQLException;
import org.terrace.invocation.Read;
import org.terrace.invocation.Update;

/** The shop's order book: the service that has replicas. */
public interface Orders {
  /**
   * Puts an order into the book.
   *
   * @return how many pieces of the product are left
   */
  @Update
  int place(String customer, String product, int pieces) throws SQLException;

  /** The number of orders of a customer. */
  @Read
  int countOf(String customer) throws SQLException;
}
