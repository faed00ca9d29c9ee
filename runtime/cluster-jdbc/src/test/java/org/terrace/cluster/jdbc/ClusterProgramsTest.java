package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.programs.Purchase;
import org.terrace.cluster.jdbc.programs.PurchasePosition;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/**
 * The libraries of plain programs over two real servers, by the URL alone, as the guide has them:
 * Flyway's migrations, from two pools at once, then Hibernate's entities, then jOOQ's statements,
 * under HikariCP.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ClusterProgramsTest {
  private static final int MIGRATIONS = 3;

  /** A busy machine keeps all servers from answering for a while, which is no loss here. */
  private static final String PATIENT = "?hangMillis=60000";

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void plainProgramsWorkThroughTheUrl(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (RealReplicas replicas = RealReplicas.start(engine, 2)) {
      if (postgres) {
        flywayIsToldThatItWaitsForItself(replicas.url(PATIENT + "&lockWaitMillis=500"));
      }
      try (HikariDataSource pool = pool(replicas.url(PATIENT));
          HikariDataSource other = pool(replicas.url(PATIENT))) {
        migrationsNeverInterleave(engine, pool, other);
        try (SessionFactory factory = factory(pool)) {
          entitiesAreKept(factory);
        }
        rowsComeBackToJooq(pool, postgres ? SQLDialect.POSTGRES : SQLDialect.MARIADB);
      }
      for (String query :
          List.of(
              "SELECT id, customer, version FROM purchase ORDER BY id",
              "SELECT id, purchase_id, name, amount FROM purchase_position ORDER BY id",
              "SELECT name, step FROM migrated ORDER BY step",
              "SELECT installed_rank, version, checksum, installed_on, success"
                  + " FROM flyway_schema_history ORDER BY 1")) {
        List<String> everywhere = replicas.everywhere(query, 0, 1);
        assertThat(everywhere.getFirst()).as(query).isNotEmpty();
        assertThat(new HashSet<>(everywhere)).as(query).hasSize(1);
      }
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url); // jdbc:terrace:postgresql://a,b,c/shop
    config.setUsername("shop");
    HikariDataSource pool = new HikariDataSource(config);
    return pool;
  }

  private static void migrationsNeverInterleave(String engine, DataSource one, DataSource other)
      throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      List<Future<Integer>> runs = new ArrayList<>();
      for (DataSource source : List.of(one, other)) {
        runs.add(executor.submit(() -> migrate(engine, source)));
      }
      int done = 0;
      for (Future<Integer> run : runs) {
        done += run.get();
      }
      assertThat(done).isEqualTo(MIGRATIONS);
    }
    assertThat(migrate(engine, one)).isZero();
  }

  private static int migrate(String engine, DataSource pool) {
    String folder = "classpath:programs/" + engine;
    boolean mariaDb = engine.equals("mariadb");
    int done =
        Flyway.configure()
            .dataSource(pool)
            .locations(folder)
            .executeInTransaction(false) // each statement of a migration is a transaction
            .baselineOnMigrate(mariaDb) // MariaDB: the cluster's own tables are in the schema
            .baselineVersion("0")
            .load()
            .migrate()
            .migrationsExecuted;
    return done;
  }

  /** Flyway's own two connections wait for each other: it is told so, where it waited for ever. */
  private static void flywayIsToldThatItWaitsForItself(String url) {
    try (HikariDataSource pool = pool(url)) {
      assertThatThrownBy(() ->
              Flyway.configure()
                  .dataSource(pool)
                  .locations("classpath:programs/postgresql")
                  .load()
                  .migrate())
          .rootCause()
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("waited for 500 ms (lockWaitMillis) for the whole database")
          .hasMessageContaining("another connection of the same thread")
          .extracting(failure -> ((SQLException) failure).getSQLState())
          .isEqualTo("55P03");
    }
  }

  private static SessionFactory factory(DataSource pool) {
    Configuration configuration =
        new Configuration()
            .addAnnotatedClass(Purchase.class)
            .addAnnotatedClass(PurchasePosition.class);
    configuration.getProperties().put("hibernate.connection.datasource", pool);
    configuration.setProperty("hibernate.jdbc.batch_size", "50");
    configuration.setProperty("hibernate.hbm2ddl.auto", "validate");
    SessionFactory factory = configuration.buildSessionFactory();
    return factory;
  }

  private static void entitiesAreKept(SessionFactory factory) {
    List<Long> ids = new ArrayList<>();
    factory.inTransaction(session -> {
      for (int i = 0; i < 12; i++) {
        Purchase purchase = new Purchase("customer " + i);
        purchase.add("tea", 1);
        purchase.add("cup", i);
        session.persist(purchase);
        ids.add(purchase.id());
      }
    });
    assertThat(ids).doesNotHaveDuplicates().doesNotContainNull();
    factory.inTransaction(session -> {
      String query =
          "select distinct p from Purchase p join p.positions x where x.amount > 9 order by p.id";
      List<Purchase> found = session.createQuery(query, Purchase.class).getResultList();
      assertThat(found)
          .extracting(Purchase::customer)
          .containsExactly("customer 10", "customer 11");
      assertThat(found.getFirst().positions())
          .containsExactlyInAnyOrder("1 tea for customer 10", "10 cup for customer 10");
      found.getFirst().rename("renamed");
    });
    versionsAreCompared(factory, ids.getFirst());
    factory.inTransaction(session -> {
      Purchase locked =
          session.find(Purchase.class, ids.getFirst(), LockModeType.PESSIMISTIC_WRITE);
      assertThat(locked.customer()).isEqualTo("first");
      session.remove(session.find(Purchase.class, ids.getLast()));
    });
  }

  /** Checks that a session that read a row before it was changed cannot change it. */
  private static void versionsAreCompared(SessionFactory factory, Long id) {
    assertThatThrownBy(() ->
            factory.inTransaction(session -> {
              Purchase stale = session.find(Purchase.class, id);
              factory.inTransaction(
                  meanwhile -> meanwhile.find(Purchase.class, id).rename("first"));
              stale.rename("second");
            }))
        .isInstanceOf(OptimisticLockException.class);
  }

  private static void rowsComeBackToJooq(DataSource pool, SQLDialect dialect) {
    Table<Record> purchase = DSL.table(DSL.name("purchase"));
    Field<Long> id = DSL.field(DSL.name("id"), SQLDataType.BIGINT.identity(true));
    Field<String> customer = DSL.field(DSL.name("customer"), SQLDataType.VARCHAR);
    Field<Integer> version = DSL.field(DSL.name("version"), SQLDataType.INTEGER);
    DSLContext jooq = DSL.using(pool, dialect);
    jooq.transaction(inside -> {
      Long number =
          inside
              .dsl()
              .insertInto(purchase, customer, version)
              .values("ann", 0)
              .returning(id)
              .fetchSingle(id);
      assertThat(
              inside.dsl().select(customer).from(purchase).where(id.eq(number)).fetchOne(customer))
          .isEqualTo("ann");
      List<Long> more =
          inside
              .dsl()
              .insertInto(purchase, customer, version)
              .values("x", 0)
              .values("y", 0)
              .returning(id)
              .fetch(id);
      assertThat(more).hasSize(2).doesNotContain(number);
    });
    assertThat(
            jooq.update(purchase).set(version, version.plus(1)).where(customer.eq("x")).execute())
        .isEqualTo(1);
  }
}
