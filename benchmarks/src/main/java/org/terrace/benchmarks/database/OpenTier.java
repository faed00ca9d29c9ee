package org.terrace.benchmarks.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.terrace.cluster.controller.ControllerProcess;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.databases.postgres.PgpoolServer;

/** A subject that is ready for clients. Thread-safe but for its closing. */
final class OpenTier implements ConnectionSource, AutoCloseable {
  private static final String POOL = "16";

  private final ConnectionSource source;
  private final Optional<ProcessHandle> process;
  private final Runnable end;

  private OpenTier(ConnectionSource source, Optional<ProcessHandle> process, Runnable end) {
    this.source = source;
    this.process = process;
    this.end = end;
  }

  /**
   * Opens a subject over the first servers of a fleet.
   *
   * @param log where its recovery log is to be; nothing must be there
   * @param messages the file for what a process of its own says
   */
  static OpenTier open(TierSubject subject, ServerFleet fleet, Path log, Path messages)
      throws IOException, SQLException {
    String url =
        fleet.clusterUrl(
            subject.replicas(),
            "scheduling=%s&poolSize=%s&log=%s".formatted(subject.scheduling(), POOL, log));
    return switch (subject) {
      case DIRECT -> new OpenTier(() -> fleet.direct(0), Optional.empty(), () -> {});
      case SERIAL_2, TABLE_2, KEY_2, KEY_3 -> inProcess(url);
      case CONTROLLER_2 -> controller(url, messages);
      case PGPOOL_2 -> pgpool(fleet);
      case GALERA_2 -> {
        AtomicInteger connections = new AtomicInteger();
        // A client has two connections, to one server.
        yield new OpenTier(
            () -> fleet.direct(connections.getAndIncrement() / 2 % 2), Optional.empty(), () -> {});
      }
    };
  }

  private static OpenTier pgpool(ServerFleet fleet) throws IOException {
    int port = MeasuredServer.freePort();
    PgpoolServer pgpool =
        new PgpoolServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            List.of(fleet.server(0).address(), fleet.server(1).address()),
            Integer.parseInt(POOL) + 1);
    pgpool.start();
    String url =
        "jdbc:postgresql://%s:%d/%s".formatted(MeasuredServer.HOST, port, MeasuredServer.DATABASE);
    return new OpenTier(
        () -> DriverManager.getConnection(url, MeasuredServer.DATABASE, ""),
        pgpool.process(),
        pgpool::close);
  }

  /** Opens a cluster in this process. */
  static OpenTier inProcess(String url) throws SQLException {
    ClusterDataSource cluster = ClusterDataSource.open(url, MeasuredServer.DATABASE, "");
    return new OpenTier(cluster::getConnection, Optional.empty(), cluster::close);
  }

  private static OpenTier controller(String clusterUrl, Path messages) throws IOException {
    int port = MeasuredServer.freePort();
    List<String> command =
        JavaCommand.of(
            List.of("-Xmx512m"),
            ControllerProcess.class,
            "--database-url",
            clusterUrl,
            "--database-user",
            MeasuredServer.DATABASE,
            "--database",
            MeasuredServer.DATABASE,
            "--address",
            MeasuredServer.HOST,
            "--port",
            Integer.toString(port),
            "--pool",
            POOL);
    ChildProcess controller =
        ChildProcess.start(
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(messages.toFile())));
    try {
      List<String> words = controller.awaitReady();
      if (!words.isEmpty()) {
        throw new IOException("the controller said more than that it is ready: " + words);
      }
    } catch (IOException | RuntimeException e) {
      controller.close();
      throw e;
    }
    String url =
        "jdbc:terrace:controller://%s:%d/%s"
            .formatted(MeasuredServer.HOST, port, MeasuredServer.DATABASE);
    return new OpenTier(
        () -> DriverManager.getConnection(url, MeasuredServer.DATABASE, ""),
        Optional.of(controller.process().toHandle()),
        controller::close);
  }

  @Override
  public Connection connect() throws SQLException {
    return source.connect();
  }

  /** The processor time of its own process and those below it, in seconds; 0 if it has none. */
  double cpuSeconds() {
    return process.stream()
        .flatMap(own -> Stream.concat(Stream.of(own), own.descendants()))
        .mapToDouble(each -> MeasuredServer.cpuSeconds(each.pid()))
        .sum();
  }

  @Override
  public void close() {
    end.run();
  }
}
