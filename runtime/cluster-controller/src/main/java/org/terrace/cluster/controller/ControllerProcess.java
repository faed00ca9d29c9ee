package org.terrace.cluster.controller;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.PoolMetrics;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * The program that owns a cluster for many applications. It prints {@code ready} when it serves,
 * and {@code replica HOST:PORT lost|returned EPOCHNANOS REASON} for each loss and return; it ends
 * on SIGTERM.
 */
public final class ControllerProcess {
  private static final String USAGE =
      "--database-url URL --database-user USER --database NAME --address ADDRESS --port PORT"
          + " [--pool N] [--secret-file FILE] [--database-password-file FILE]"
          + " [--database-local-address ADDRESS] [--metrics ADDRESS:PORT]";
  private static final int PORT_MAX = 65_535;
  private static final int POOL_MAX = 1_000;

  private ControllerProcess() {}

  /** Runs a controller until the process is told to end; see {@link #USAGE}. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      serve(Flags.of(arguments));
    } catch (TerraceException e) {
      System.err.println("controller: " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: ControllerProcess " + USAGE);
      }
      System.exit(e.code().exitCode());
    }
  }

  private static void serve(Flags flags) throws InterruptedException {
    String url = flags.text("--database-url");
    Properties properties = new Properties();
    properties.setProperty("user", flags.text("--database-user", ""));
    properties.setProperty("poolSize", "" + flags.number("--pool", 32, 1, POOL_MAX));
    String password = secret(flags.text("--database-password-file", ""));
    if (!password.isEmpty()) {
      properties.setProperty("password", password);
    }
    String local = flags.text("--database-local-address", "");
    if (!local.isEmpty()) {
      properties.setProperty("driver.localSocketAddress", local);
    }
    String database = flags.text("--database");
    String address = flags.text("--address", "127.0.0.1");
    int port = flags.number("--port", 7_500, 0, PORT_MAX);
    String secret = secret(flags.text("--secret-file", ""));
    Optional<InetSocketAddress> metrics = place(flags.text("--metrics", ""));
    flags.end();
    try {
      ClusterDataSource source = ClusterDataSource.open(url, properties);
      source.listen(new Printed());
      metrics.ifPresent(place -> tellOfPools(source, place));
      ControllerServer server = ControllerServer.start(source, database, address, port, secret);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    server.close();
                    source.close();
                  },
                  "end"));
      System.out.println("ready");
      new CountDownLatch(1).await();
    } catch (SQLException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "The cluster cannot be opened: " + e.getMessage(), e);
    }
  }

  /** A controller whose soft resources nobody can ask about serves all the same. */
  private static void tellOfPools(ClusterDataSource source, InetSocketAddress place) {
    try {
      PoolMetrics.serve(place.getAddress(), place.getPort(), source.pools());
    } catch (IOException e) {
      System.err.println("controller: no metrics at " + place + ": " + e.getMessage());
    }
  }

  private static Optional<InetSocketAddress> place(String text) {
    int colon = text.lastIndexOf(':');
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new InetSocketAddress(
                  InetAddress.ofLiteral(text.substring(0, Math.max(0, colon))),
                  Integer.parseInt(text.substring(colon + 1))));
    } catch (IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--metrics names '" + text + "'; expected ADDRESS:PORT, such as 127.0.0.1:7901",
          e);
    }
  }

  private static String secret(String file) {
    try {
      return file.isEmpty() ? "" : Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "The secret in %s cannot be read (%s).".formatted(file, e), e);
    }
  }

  /** A line for each loss and return. */
  private static final class Printed implements ReplicaListener {
    @Override
    public void lost(String replica, String reason) {
      String line = reason.replaceAll("\\s+", " ").strip();
      System.out.printf("replica %s lost %d %s%n", replica, TimeSource.system().epochNanos(), line);
    }

    @Override
    public void returned(String replica) {
      System.out.printf("replica %s returned %d%n", replica, TimeSource.system().epochNanos());
    }
  }
}
