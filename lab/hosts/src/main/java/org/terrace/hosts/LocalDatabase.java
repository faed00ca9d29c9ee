package org.terrace.hosts;

import java.nio.file.Path;
import java.util.List;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.ndblike.Arbitrator;
import org.terrace.databases.ndblike.NdbLikeNodes;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.Signal;

/** The database servers of this machine. Stateless. */
final class LocalDatabase {
  private LocalDatabase() {}

  /**
   * A server of which nothing is prepared.
   *
   * @param folder the folder below which its data are to lie, if they are to lie on the disk; every
   *     account may enter it
   */
  static DatabaseServer of(DatabasePlan plan, Path folder) {
    return switch (plan.system()) {
      case POSTGRESQL ->
          new Postgres(
              new PostgresServer(
                  PostgresOptions.at(plan.address(), plan.port())
                      .withDatabase(plan.database(), plan.database())
                      .withClientNetworks(plan.clients()),
                  folder));
      case MARIADB ->
          new MariaDb(new MariaDbServer(options(plan).withWordsOfAnyLength(), folder), "");
      case NDB_DATA_NODE -> new MariaDb(nodes(plan).dataNode(options(plan), plan.number()), "");
      case NDB_SQL_NODE -> {
        NdbLikeNodes nodes = nodes(plan);
        yield new MariaDb(nodes.sqlNode(options(plan)), nodes.definitions(options(plan)));
      }
      case NDB_ARBITRATOR ->
          new Voter(nodes(plan).arbitrator(plan.number(), plan.address(), plan.port()));
    };
  }

  private static MariaDbOptions options(DatabasePlan plan) {
    return MariaDbOptions.at(plan.address(), plan.port(), plan.database())
        .withClients(plan.clients());
  }

  private static NdbLikeNodes nodes(DatabasePlan plan) {
    return new NdbLikeNodes(plan.dataNodes());
  }

  /** A server of PostgreSQL. */
  private record Postgres(PostgresServer server) implements DatabaseServer {
    @Override
    public void initialise() {
      server.initialise();
    }

    @Override
    public boolean initialise(String dataSet) {
      return server.initialise(dataSet);
    }

    @Override
    public void keepAs(String dataSet) {
      server.keepAs(dataSet);
    }

    @Override
    public void start() {
      server.start();
    }

    @Override
    public void stop() {
      server.stop();
    }

    @Override
    public List<String> command() {
      return server.command();
    }

    @Override
    public Signal stopSignal() {
      return Signal.INT;
    }

    @Override
    public boolean isReady() {
      return server.isReady();
    }

    @Override
    public String jdbcUrl() {
      return server.jdbcUrl();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /**
   * A server of MariaDB, which keeps no data sets.
   *
   * @param further the statements that it is initialised with beside its own
   */
  private record MariaDb(MariaDbServer server, String further) implements DatabaseServer {
    @Override
    public void initialise() {
      server.initialise(further);
    }

    @Override
    public boolean initialise(String dataSet) {
      initialise();
      return false;
    }

    @Override
    public void keepAs(String dataSet) {}

    @Override
    public void start() {
      server.start();
    }

    @Override
    public void stop() {
      server.stop();
    }

    @Override
    public List<String> command() {
      return server.command();
    }

    @Override
    public Signal stopSignal() {
      return Signal.TERM;
    }

    @Override
    public boolean isReady() {
      return server.isReady();
    }

    @Override
    public String jdbcUrl() {
      return server.jdbcUrl();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /** An arbitrator, which has no data. */
  private record Voter(Arbitrator arbitrator) implements DatabaseServer {
    @Override
    public void initialise() {}

    @Override
    public boolean initialise(String dataSet) {
      return false;
    }

    @Override
    public void keepAs(String dataSet) {}

    @Override
    public void start() {
      arbitrator.start();
    }

    @Override
    public void stop() {
      arbitrator.close();
    }

    @Override
    public List<String> command() {
      return arbitrator.command();
    }

    @Override
    public Signal stopSignal() {
      return Signal.TERM;
    }

    @Override
    public boolean isReady() {
      return arbitrator.isReady();
    }

    @Override
    public String jdbcUrl() {
      return "";
    }

    @Override
    public void close() {
      arbitrator.close();
    }
  }
}
