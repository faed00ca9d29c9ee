package org.terrace.databases.postgres;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ReadyWait;
import org.terrace.databases.DirectoryTree;
import org.terrace.databases.ServerAccount;

/**
 * A pgpool-II of Debian's package in front of PostgreSQL servers that have the same data: it sends
 * each write to all of them, to the first before the others, and a read to one. Confined to one
 * thread.
 */
public final class PgpoolServer implements AutoCloseable {
  /** The package whose program is run. */
  public static final String PACKAGE = "pgpool2";

  private static final Path PROGRAM = Path.of("/usr/sbin/pgpool");
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final int LONGEST_STOP_SECONDS = 10;
  private static final int CONNECT_MILLIS = 1_000;
  private static final String CONFIGURATION = "pgpool.conf";

  private final InetSocketAddress place;
  private final Path directory;
  private final ServerAccount account;
  private @Nullable Process process;

  /**
   * One that has not been started.
   *
   * @param place the address and port at which it listens
   * @param servers the places of the servers
   * @param connectionsMax the most connections of clients at once, each of which has a process
   * @throws TerraceException when the package is missing, or no directory can be made
   */
  public PgpoolServer(
      InetSocketAddress place, List<InetSocketAddress> servers, int connectionsMax) {
    lacking()
        .ifPresent(lack -> {
          throw new TerraceException(ErrorCode.MACHINE_LACKS, lack);
        });
    this.place = place;
    this.account = ServerAccount.ofThisProcess();
    try {
      this.directory = Files.createTempDirectory("terrace-pgpool-");
      StringBuilder settings = new StringBuilder(settings(connectionsMax));
      for (int i = 0; i < servers.size(); i++) {
        settings.append(backend(i, servers.get(i)));
      }
      account.own(Files.writeString(directory.resolve(CONFIGURATION), settings));
      account.own(directory);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot make the directory of pgpool-II (" + e + ").", e);
    }
  }

  /** Nothing is checked, taken out or cached behind the back of who compares. */
  private String settings(int connectionsMax) {
    return """
    listen_addresses = '%1$s'
    port = %2$d
    unix_socket_directories = '%3$s'
    pcp_listen_addresses = ''
    pcp_port = %5$d
    pcp_socket_dir = '%3$s'
    pid_file_name = '%3$s/pid'
    logdir = '%3$s'
    work_dir = '%3$s'
    backend_clustering_mode = 'native_replication'
    load_balance_mode = on
    num_init_children = %4$d
    max_pool = 1
    connection_cache = on
    enable_pool_hba = off
    pool_passwd = ''
    health_check_period = 0
    sr_check_period = 0
    memory_cache_enabled = off
    """
        .formatted(
            place.getAddress().getHostAddress(),
            place.getPort(),
            directory,
            connectionsMax,
            place.getPort() + 1);
  }

  private static String backend(int number, InetSocketAddress server) {
    return """
    backend_hostname%1$d = '%2$s'
    backend_port%1$d = %3$d
    backend_weight%1$d = 1
    backend_flag%1$d = 'ALLOW_TO_FAILOVER'
    """
        .formatted(number, server.getAddress().getHostAddress(), server.getPort());
  }

  /** A sentence that names the package that is missing; empty: it is there. */
  public static Optional<String> lacking() {
    return Files.isExecutable(PROGRAM)
        ? Optional.empty()
        : Optional.of(
            "pgpool-II needs Debian's package %1$s, which is not on this machine: apt-get install %1$s"
                .formatted(PACKAGE));
  }

  /** Starts it and returns when it takes connections. */
  public void start() {
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), "-n", "-f"));
    command.add(directory.resolve(CONFIGURATION).toString());
    try {
      Process started =
          Keeper.ofThisProcess()
              .startApart(
                  new ProcessBuilder(account.run(command))
                      .directory(Path.of("/").toFile())
                      .redirectErrorStream(true)
                      .redirectOutput(logFile().toFile()));
      process = started;
      if (ReadyWait.until(this::isReady, started, LONGEST_START, TimeSource.system())
          != ReadyWait.Outcome.READY) {
        List<String> said = Files.readAllLines(logFile());
        close();
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS, "pgpool-II did not start:\n" + String.join("\n", said));
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot start pgpool-II: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(ErrorCode.CHECK_FAILED, "Interrupted while starting", e);
    }
  }

  private boolean isReady() {
    try (Socket socket = new Socket()) {
      socket.connect(place, CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The process that was started, which has one more for each connection; empty: none runs. */
  public Optional<ProcessHandle> process() {
    return Optional.ofNullable(process).map(Process::toHandle);
  }

  private Path logFile() {
    return directory.resolveSibling(directory.getFileName() + ".log");
  }

  /** Ends it with all its processes, and deletes its directory. */
  @Override
  public void close() {
    Process running = process;
    process = null;
    try {
      if (running != null) {
        List<ProcessHandle> children = running.descendants().toList();
        running.destroy();
        if (!running.waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS)) {
          running.destroyForcibly().waitFor();
        }
        children.forEach(ProcessHandle::destroyForcibly);
      }
      DirectoryTree.delete(directory);
      Files.deleteIfExists(logFile());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot delete the directory %s (%s): delete it by hand."
              .formatted(directory, e.getMessage()),
          e);
    }
  }
}
