package org.terrace.board;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.util.modeler.Registry;
import org.terrace.board.page.Pages;
import org.terrace.board.store.Database;
import org.terrace.board.store.SecretFile;
import org.terrace.core.ErrorCode;
import org.terrace.core.FileTree;
import org.terrace.core.PoolMetrics;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * An application server of the board: Tomcat with one servlet over a pool of database connections.
 *
 * <p>As a program it prints {@code ready} when it accepts requests, obeys the lines that {@link
 * StandardInputControl} knows on standard input, and ends cleanly on SIGTERM. Start and close are
 * called by one thread.
 */
public final class BoardServer implements AutoCloseable {
  /** Open connections, most of them idle between two requests. */
  private static final int MOST_OPEN_CONNECTIONS = 20_000;

  private static final int SPARE_THREADS = 10;
  private static final int KEEP_ALIVE_MILLIS = 120_000;
  private static final int LONGEST_SILENCE_MILLIS = 20_000;
  private static final int MOST_FORM_BYTES = 64 * 1024;
  private static final int MOST_FIELDS = 50;

  private final Tomcat tomcat;
  private final Database database;
  private final SharedState shared;
  private final Path workDirectory;
  private Optional<PoolMetrics> metrics = Optional.empty();

  private BoardServer(Tomcat tomcat, Database database, SharedState shared, Path workDirectory) {
    this.tomcat = tomcat;
    this.database = database;
    this.shared = shared;
    this.workDirectory = workDirectory;
  }

  /** Runs a server until the process is told to end; see {@link BoardServerOptions#USAGE}. */
  public static void main(String[] arguments) {
    Logger.getLogger("").setLevel(Level.WARNING);
    try {
      LockConvoy convoy = new LockConvoy();
      BoardServer server = start(BoardServerOptions.of(arguments), convoy);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end"));
      System.out.println("ready");
      StandardInputControl control = new StandardInputControl(System.in, System.out, convoy);
      Thread.ofPlatform().name("control").daemon().start(control);
      server.tomcat.getServer().await();
    } catch (TerraceException e) {
      System.err.println("board: " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: BoardServer " + BoardServerOptions.USAGE);
      }
      System.exit(e.code().exitCode());
    }
  }

  /** Starts a server; it accepts requests when this returns. */
  static BoardServer start(BoardServerOptions options) {
    return start(options, new LockConvoy());
  }

  private static BoardServer start(BoardServerOptions options, LockConvoy convoy) {
    Database database = open(options);
    try {
      TimeSource time = TimeSource.system();
      Complaints complaints = new Complaints(System.err, time);
      BoardServlet servlet = new BoardServlet(new Pages(database), complaints, convoy);
      Path work = Files.createTempDirectory("terrace-board-");
      BoardServer server = new BoardServer(new Tomcat(), database, SharedState.open(options), work);
      server.startTomcat(options, servlet);
      server.tellOfPools(options, servlet);
      return server;
    } catch (SQLException e) {
      database.close();
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "The database at %s holds no board (%s): load one with BoardLoader."
              .formatted(options.databaseUrl(), e.getMessage()),
          e);
    } catch (IOException e) {
      database.close();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot make a temporary directory: " + e.getMessage(), e);
    }
  }

  /** The address at which other servers find its replica of what they share. */
  InetSocketAddress groupAddress() {
    return shared.group().self().address();
  }

  /** The port at which it listens. */
  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  /** Stops accepting, lets the requests in progress end for a moment, and closes everything. */
  @Override
  public void close() {
    metrics.ifPresent(PoolMetrics::close);
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException e) {
      System.err.println("board: while ending: " + e.getMessage());
    } finally {
      shared.close();
      database.close();
      deleteWorkDirectory();
    }
  }

  private static Database open(BoardServerOptions options) {
    String password = SecretFile.read("--database-password-file", options.databasePasswordFile());
    try {
      return Database.open(
          options.databaseUrl(),
          options.databaseUser(),
          password,
          options.name(),
          options.databaseLocalAddress(),
          options.pool(),
          new ReplicaLines(System.out, TimeSource.system()));
    } catch (SQLException | RuntimeException e) {
      // The pool's own exceptions, or the cluster's: the URL is wrong, or nobody answers there.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot connect to the database at %s as '%s' (%s): is it running there?"
              .formatted(options.databaseUrl(), options.databaseUser(), cause.getMessage()),
          e);
    }
  }

  private void startTomcat(BoardServerOptions options, BoardServlet servlet) {
    // Nobody asks Tomcat's beans, and to register them takes a quarter of the start's CPU time.
    Registry.disableRegistry();
    tomcat.setBaseDir(workDirectory.toString());
    Connector connector = connector(options);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    if (context instanceof StandardContext standard) {
      // The process ends with the context: there is nothing to look for that it might leave behind.
      standard.setClearReferencesRmiTargets(false);
      standard.setClearReferencesThreadLocals(false);
    }
    Sessions.install(context, shared.collections(), TimeSource.system());
    Tomcat.addServlet(context, "board", servlet).addMapping("/*");
    if (tomcat.getHost() instanceof StandardHost host) {
      ErrorReportValve plain = new ErrorReportValve();
      plain.setShowReport(false);
      plain.setShowServerInfo(false);
      host.setErrorReportValveClass("");
      host.getPipeline().addValve(plain);
    }
    try {
      tomcat.start();
    } catch (LifecycleException e) {
      close();
      throw cannotListen(options, e);
    }
    if (!connector.getState().isAvailable()) {
      close();
      throw cannotListen(options, new BindException("the connector did not start"));
    }
    // Only JSPs and uploads would be kept there: without it, a server that is killed leaves
    // nothing.
    deleteWorkDirectory();
  }

  /** A server whose pools nobody can ask about serves all the same. */
  private void tellOfPools(BoardServerOptions options, BoardServlet servlet) {
    if (options.metrics().isEmpty()) {
      return;
    }
    InetSocketAddress place = options.metrics().getFirst();
    Map<String, PoolMetrics.Pool> pools = new HashMap<>(database.clusterPools());
    pools.put("threads", new PoolMetrics.Pool(options.threads(), servlet::underWay));
    pools.put("connections", new PoolMetrics.Pool(options.pool(), database::inUse));
    try {
      metrics = Optional.of(PoolMetrics.serve(place.getAddress(), place.getPort(), pools));
    } catch (IOException e) {
      System.err.println("board: no metrics at " + place + ": " + e.getMessage());
    }
  }

  private static Connector connector(BoardServerOptions options) {
    Connector connector = new Connector();
    connector.setPort(options.port());
    connector.setThrowOnFailure(true);
    connector.setMaxPostSize(MOST_FORM_BYTES);
    connector.setMaxParameterCount(MOST_FIELDS);
    connector.setProperty("address", options.address());
    connector.setProperty("maxThreads", String.valueOf(options.threads()));
    connector.setProperty(
        "minSpareThreads", String.valueOf(Math.min(SPARE_THREADS, options.threads())));
    connector.setProperty("acceptCount", String.valueOf(options.backlog()));
    connector.setProperty("maxConnections", String.valueOf(MOST_OPEN_CONNECTIONS));
    connector.setProperty("maxKeepAliveRequests", "-1");
    connector.setProperty("keepAliveTimeout", String.valueOf(KEEP_ALIVE_MILLIS));
    connector.setProperty("connectionTimeout", String.valueOf(LONGEST_SILENCE_MILLIS));
    connector.setProperty("compression", "off");
    return connector;
  }

  private static TerraceException cannotListen(BoardServerOptions options, Exception cause) {
    Throwable deepest = cause;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "Cannot listen at %s port %d (%s): stop what listens there, or choose another with --address and --port."
            .formatted(options.address(), options.port(), deepest.getMessage()),
        cause);
  }

  private void deleteWorkDirectory() {
    try {
      FileTree.delete(workDirectory);
    } catch (IOException e) {
      System.err.println("board: cannot delete " + workDirectory + ": " + e.getMessage());
    }
  }
}
