package org.terrace.hosts;

import java.util.List;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.Signal;

/** The database servers of this machine. Stateless. */
final class LocalDatabase {
  private LocalDatabase() {}

  /** A server of which nothing is prepared. */
  static DatabaseServer of(DatabasePlan plan) {
    return switch (plan.system()) {
      case POSTGRESQL ->
          new Postgres(
              new PostgresServer(
                  PostgresOptions.at(plan.address(), plan.port())
                      .withDatabase(plan.database(), plan.database())
                      .withClientNetworks(plan.clients())));
      case MARIADB ->
          new MariaDb(
              new MariaDbServer(
                  MariaDbOptions.at(plan.address(), plan.port(), plan.database())
                      .withClients(plan.clients())
                      .withWordsOfAnyLength()));
    };
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

  /** A server of MariaDB, which keeps no data sets. */
  private record MariaDb(MariaDbServer server) implements DatabaseServer {
    @Override
    public void initialise() {
      server.initialise();
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
}
