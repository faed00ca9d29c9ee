package org.terrace.cluster.controller;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
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
 * on SIGTERM, and when its recovery log fails. A spare prints {@code spare} when another process
 * owns the cluster, waits for its end, and serves; when it has no server left, as another took
 * them, or its log failed, it is a spare again.
 */
public final class ControllerProcess {
  private static final String USAGE =
      "--database-url URL --database-user USER --database NAME --address ADDRESS --port PORT"
          + " [--pool N] [--secret-file FILE] [--database-password-file FILE]"
          + " [--database-local-address ADDRESS] [--metrics ADDRESS:PORT] [--spare yes|no]"
          + " [--silence-millis N]";
  private static final int PORT_MAX = 65_535;
  private static final int POOL_MAX = 1_000;
  private static final int BETWEEN_LOOKS_MILLIS = 20;
  private static final int LOOKS_AT_LOG = 50;
  private static final int SILENCE_MILLIS_MIN = 200;
  private static final int SILENCE_MILLIS_MAX = 600_000;

  /** One whose log failed lets others lead for so long: theirs may be a working one. */
  private static final int STANDS_BACK_SECONDS = 5;

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
    boolean spare = flags.text("--spare", "no").equals("yes");
    int silenceMillis =
        flags.number(
            "--silence-millis",
            (int) ControllerServer.SILENCE.toMillis(),
            SILENCE_MILLIS_MIN,
            SILENCE_MILLIS_MAX);
    flags.end();
    AtomicReference<List<Runnable>> end = new AtomicReference<>(List.of());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end.get().forEach(Runnable::run), "end"));
    do {
      Leadership leadership;
      try (ClusterDataSource source = spare ? await(url, properties) : open(url, properties)) {
        leadership = new Leadership(source, spare);
        source.listen(new Printed());
        try (@Nullable PoolMetrics _ = tellOfPools(source, metrics);
            ControllerServer server =
                ControllerServer.start(
                    source, database, address, port, secret, Duration.ofMillis(silenceMillis))) {
          end.set(List.of(server::close, source::close));
          source.listen(leadership);
          System.out.println("ready");
          leadership.awaitEnd();
        }
      }
      standBack(leadership.logFailure(), spare);
    } while (spare);
  }

  /** Lets others lead whose log may work, after the own one failed; without a spare it is over. */
  private static void standBack(String logFailure, boolean spare) throws InterruptedException {
    if (logFailure.isEmpty()) {
      return;
    }
    String reason = "The recovery log failed, so that nothing can be written: " + logFailure + ".";
    if (!spare) {
      throw new TerraceException(ErrorCode.MACHINE_LACKS, reason);
    }
    System.err.println("controller: steps down: " + reason);
    TimeUnit.SECONDS.sleep(STANDS_BACK_SECONDS);
  }

  private static ClusterDataSource open(String url, Properties properties) {
    try {
      return ClusterDataSource.open(url, properties);
    } catch (SQLException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "The cluster cannot be opened: " + e.getMessage(), e);
    }
  }

  /** Opens the cluster as soon as nobody owns it any more. */
  private static ClusterDataSource await(String url, Properties properties)
      throws InterruptedException {
    String told = "";
    while (true) {
      try {
        return ClusterDataSource.open(url, properties);
      } catch (SQLException e) {
        String reason = String.valueOf(e.getMessage());
        if (told.isEmpty()) {
          System.out.println("spare");
        }
        if (!reason.equals(told)) {
          System.err.println("controller: a spare: " + reason);
          told = reason;
        }
        awaitLog(url, properties);
      }
    }
  }

  /**
   * Waits until the log is in nobody's use, as the owner's end shows there first, or for as long as
   * servers need not be asked.
   */
  private static void awaitLog(String url, Properties properties) throws InterruptedException {
    boolean inUse = true;
    for (int i = 0; inUse && i < LOOKS_AT_LOG; i++) {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
      try {
        inUse = ClusterDataSource.isLogInUse(url, properties);
      } catch (SQLException e) {
        inUse = false;
      }
    }
  }

  /** A controller whose soft resources nobody can ask about serves all the same. */
  private static @Nullable PoolMetrics tellOfPools(
      ClusterDataSource source, Optional<InetSocketAddress> metrics) {
    if (metrics.isEmpty()) {
      return null;
    }
    InetSocketAddress place = metrics.get();
    try {
      return PoolMetrics.serve(place.getAddress(), place.getPort(), source.pools());
    } catch (IOException e) {
      System.err.println("controller: no metrics at " + place + ": " + e.getMessage());
      return null;
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
      // In one piece, as the log writes to the same place.
      System.out.println(
          "replica %s lost %d %s".formatted(replica, TimeSource.system().epochNanos(), line));
    }

    @Override
    public void returned(String replica) {
      System.out.println(
          "replica %s returned %d".formatted(replica, TimeSource.system().epochNanos()));
    }
  }

  /**
   * The leadership of this process, which ends when nothing can be written any more: for a spare
   * with its last server, and for all when the recovery log fails. Thread-safe.
   */
  private static final class Leadership implements ReplicaListener {
    private final ClusterDataSource source;
    private final boolean endsWithoutServers;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicReference<String> failure = new AtomicReference<>("");

    Leadership(ClusterDataSource source, boolean endsWithoutServers) {
      this.source = source;
      this.endsWithoutServers = endsWithoutServers;
    }

    void awaitEnd() throws InterruptedException {
      over.await();
    }

    /** The reason why the log took no more; empty: it works. */
    String logFailure() {
      return failure.get();
    }

    @Override
    public void lost(String replica, String reason) {
      if (endsWithoutServers) {
        Thread.startVirtualThread(() -> {
          if (source.losses().size() >= source.servers().size()) {
            over.countDown();
          }
        });
      }
    }

    @Override
    public void returned(String replica) {}

    @Override
    public void logFailed(String reason) {
      failure.compareAndSet("", reason);
      over.countDown();
    }
  }
}
