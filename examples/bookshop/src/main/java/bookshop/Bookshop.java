package bookshop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.LockModeType;
import java.sql.SQLException;
import java.util.function.Function;
import org.flywaydb.core.Flyway;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * The bookshop: a plain program with HikariCP, Flyway and Hibernate. Only its URL says that there
 * are several databases.
 */
final class Bookshop implements AutoCloseable {
  private static final int ATTEMPTS = 10;

  private final HikariDataSource pool;
  private final SessionFactory factory;

  /**
   * Opens the shop, and makes its tables if they are not there.
   *
   * @param url such as {@code jdbc:terrace:postgresql://a,b,c/shop?log=/var/lib/shop/terrace}
   */
  Bookshop(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername("shop");
    pool = new HikariDataSource(config);
    try {
      Flyway.configure()
          .dataSource(pool)
          .locations("classpath:migrations")
          .executeInTransaction(false) // each statement of a migration is a transaction
          .load()
          .migrate();
      Configuration configuration =
          new Configuration().addAnnotatedClass(Book.class).addAnnotatedClass(Sale.class);
      configuration.getProperties().put("hibernate.connection.datasource", pool);
      configuration.setProperty(
          "hibernate.physical_naming_strategy",
          "org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl");
      factory = configuration.buildSessionFactory();
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  /**
   * Sells one piece, and gives the number of the sale. When this returns, every database that is
   * active has the sale.
   */
  long sell(String title, String customer) {
    return inTransaction(session -> {
      session.find(Book.class, title, LockModeType.PESSIMISTIC_WRITE).takeOne();
      Sale sale = new Sale(title, customer);
      session.persist(sale);
      return sale.id();
    });
  }

  /** The number of pieces of a title that are left. */
  int pieces(String title) {
    return inTransaction(session -> session.find(Book.class, title).pieces());
  }

  /**
   * Runs a transaction, and runs it again when the cluster asks for that by an SQLState of class
   * 40: the database that it read from was lost, or it and another one waited for each other.
   * Nothing of it is kept then, so that a second run does nothing twice.
   */
  private <T> T inTransaction(Function<Session, T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return factory.fromTransaction(work);
      } catch (RuntimeException e) {
        if (attempt == ATTEMPTS || !mayRunAgain(e)) {
          throw e;
        }
      }
    }
  }

  private static boolean mayRunAgain(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refused && refused.getSQLState() != null) {
        return refused.getSQLState().startsWith("40");
      }
    }
    return false;
  }

  @Override
  public void close() {
    factory.close();
    pool.close();
  }
}
