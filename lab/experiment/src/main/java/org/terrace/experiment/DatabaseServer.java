package org.terrace.experiment;

import java.util.List;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.Signal;

/** One database server of a trial, of whichever system. Confined to one thread. */
interface DatabaseServer extends AutoCloseable {
  /** A server of PostgreSQL that nothing is prepared of. */
  static DatabaseServer postgres(String address, int port) {
    return new Postgres(new PostgresServer(PostgresOptions.at(address, port)));
  }

  /** A server of MariaDB that nothing is prepared of, with one database for a user of its name. */
  static DatabaseServer mariaDb(String address, int port, String database) {
    return new MariaDb(
        new MariaDbServer(MariaDbOptions.at(address, port, database).withWordsOfAnyLength()));
  }

  /** Makes an empty database. */
  void initialise();

  /** Makes a copy of a data set that was kept; false: there is none, and the database is empty. */
  boolean initialise(String dataSet);

  /** Keeps the data for {@link #initialise(String)}; the server is not running. */
  void keepAs(String dataSet);

  /** Starts the server for a moment, as no node of the trial. */
  void start();

  /** Ends what {@link #start()} started. */
  void stop();

  /** The command that starts the server in the foreground. */
  List<String> command();

  /** The signal that ends the server at once but cleanly. */
  Signal stopSignal();

  /** Whether it accepts connections. */
  boolean isReady();

  /** The URL for JDBC. */
  String jdbcUrl();

  /** Deletes its data; its process has to be gone. */
  @Override
  void close();

  /** A server of PostgreSQL. */
  record Postgres(PostgresServer server) implements DatabaseServer {
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
  record MariaDb(MariaDbServer server) implements DatabaseServer {
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
