package bookshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The promises of the bookshop, on three real databases of which one is killed and comes back. */
class BookshopTest {
  private static final int CUSTOMERS = 4;
  private static final int SALES_EACH = 30;
  private static final int SALES_BEFORE_THE_KILL = 40;

  private static final long LOOK_AGAIN_NANOS = 100_000_000L;

  /** Addresses that another run on this machine does not use. */
  private final String prefix =
      "127."
          + (64 + ProcessHandle.current().pid() % 128)
          + "."
          + ProcessHandle.current().pid() / 128 % 256;

  @TempDir private Path log;

  /** No sale fails or is lost, and in the end all three databases have the same. */
  @Test
  @Timeout(120)
  void salesSurviveADatabaseThatComesBack() throws Exception {
    try (Databases databases = new Databases(prefix);
        Bookshop shop = new Bookshop(databases.url(log))) {
      AtomicInteger sold = new AtomicInteger();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> customers = new ArrayList<>();
        for (int i = 0; i < CUSTOMERS; i++) {
          String customer = "customer" + i;
          customers.add(
              threads.submit(() -> {
                for (int sale = 0; sale < SALES_EACH; sale++) {
                  shop.sell("Emma", customer + "-" + sale);
                  if (sold.incrementAndGet() == SALES_BEFORE_THE_KILL) {
                    databases.kill(2);
                  }
                }
              }));
        }
        for (Future<?> customer : customers) {
          customer.get();
        }
      }
      assertEquals(1_000 - CUSTOMERS * SALES_EACH, shop.pieces("Emma"));

      databases.startAgain(2);
      List<String> expected = sales(databases.urlOf(1));
      assertEquals(CUSTOMERS * SALES_EACH, expected.size());
      assertEquals(expected, sales(databases.urlOf(3)));
      assertTrue(returnsWith(expected, databases.urlOf(2)), "the second has all sales, too");
    }
  }

  /** Looks again until the server has returned; the test's own timeout is the limit. */
  private static boolean returnsWith(List<String> expected, String url) {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      try {
        if (sales(url).equals(expected)) {
          return true;
        }
      } catch (SQLException starting) {
        // It replays its own log first, and takes nobody in.
        continue;
      }
    }
    return false;
  }

  private static List<String> sales(String url) throws SQLException {
    List<String> sales = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT id, title, customer, sold_at FROM sale ORDER BY id")) {
      while (rows.next()) {
        sales.add(
            rows.getLong(1)
                + " "
                + rows.getString(2)
                + " "
                + rows.getString(3)
                + " "
                + rows.getTimestamp(4));
      }
    }
    return sales;
  }
}
