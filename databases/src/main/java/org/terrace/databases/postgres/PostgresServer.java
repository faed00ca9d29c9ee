package org.terrace.databases.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ReadyWait;
import org.terrace.databases.Commands;
import org.terrace.databases.DirectoryTree;
import org.terrace.databases.MachineCache;
import org.terrace.databases.ServerAccount;

/**
 * A PostgreSQL server with one database for one role, at an address of its own.
 *
 * <p>A test starts and stops it through this class: {@link #initialise()}, {@link #start()}, {@link
 * #close()}. A supervisor that has processes of its own calls {@link #initialise()} and {@link
 * #checkAddress()}, starts {@link #command()}, waits for {@link #isReady()}, and later runs {@link
 * #stopCommand()}; the {@link #close()} that follows only cleans up. A server has several
 * processes: who pauses it must pause the whole process tree.
 *
 * <p>Confined to one thread. The first use on a machine unpacks the programs and makes a template
 * (about four seconds); afterwards {@code initialise} and {@code start} take about a third of a
 * second together.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final int LONGEST_FAST_STOP_SECONDS = 10;
  private static final int SHOWN_LOG_LINES = 12;
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  /** The line of {@code postmaster.pid} in which the server tells its state (PostgreSQL 10 on). */
  private static final int STATUS_LINE = 7;

  private final PostgresOptions options;
  private final ServerAccount account;
  private final PostgresPrograms programs;
  private final PostgresCluster cluster;
  private final boolean ownsDirectory;
  private final Path dataDirectory;
  private @Nullable Process process;

  /**
   * A server that has not been prepared yet.
   *
   * @throws TerraceException when this machine cannot run it: wrong kind of machine, no account to
   *     run it under, a cache or data directory that cannot be written or entered
   */
  public PostgresServer(PostgresOptions options) {
    this(options, TEMPORARY);
  }

  /**
   * A server that has not been prepared yet, whose data lie, unless the options name a directory,
   * in a fresh one below a given folder.
   *
   * @param folder one that every account may enter
   * @throws TerraceException when this machine cannot run it, as above
   */
  public PostgresServer(PostgresOptions options, Path folder) {
    this(options, folder, ServerAccount.ofThisProcess());
  }

  private PostgresServer(PostgresOptions options, Path folder, ServerAccount account) {
    this(options, folder, account, MachineCache.directory(account));
  }

  private PostgresServer(PostgresOptions options, Path folder, ServerAccount account, Path cache) {
    this(options, folder, account, PostgresPrograms.installed(cache), cache);
  }

  /** A server whose templates and kept data lie in a directory that may be another than usual. */
  PostgresServer(
      PostgresOptions options, ServerAccount account, PostgresPrograms programs, Path dataCache) {
    this(options, TEMPORARY, account, programs, dataCache);
  }

  private PostgresServer(
      PostgresOptions options,
      Path folder,
      ServerAccount account,
      PostgresPrograms programs,
      Path dataCache) {
    this.options = options;
    this.account = account;
    this.programs = programs;
    this.cluster = new PostgresCluster(account, programs, dataCache);
    this.ownsDirectory = options.dataDirectory().isEmpty();
    this.dataDirectory = makeDataDirectory(options, folder);
  }

  /** Fills the data directory with an empty database. */
  public PostgresServer initialise() {
    cluster.fromTemplate(options, dataDirectory);
    configure();
    return this;
  }

  /**
   * Fills the data directory with a data set that was kept under this name, or else with an empty
   * database.
   *
   * @return whether the data set was there
   */
  public boolean initialise(String dataSet) {
    if (cluster.fromDataSet(dataSetName(dataSet), dataDirectory)) {
      configure();
      return true;
    }
    initialise();
    return false;
  }

  /**
   * Keeps a copy of this server's data for later calls of {@link #initialise(String)} on this
   * machine; only the {@value PostgresCluster#KEPT_DATA_SETS} used last are kept.
   *
   * @throws IllegalStateException when the server is running
   */
  public void keepAs(String dataSet) {
    if (Files.exists(dataDirectory.resolve("postmaster.pid"))) {
      throw new IllegalStateException("stop the server before its data are kept");
    }
    cluster.keep(dataDirectory, dataSetName(dataSet));
  }

  /** The command that starts the server in the foreground; it logs to standard error. */
  public List<String> command() {
    return account.run(List.of(programs.program("postgres"), "-D", dataDirectory.toString()));
  }

  /**
   * The command that ends the server at once but cleanly, whoever is still connected. It waits for
   * the end, at most {@value #LONGEST_FAST_STOP_SECONDS} s, and fails if there is none.
   */
  public List<String> stopCommand() {
    return account.run(
        List.of(
            programs.program("pg_ctl"),
            "stop",
            "--mode=fast",
            "--silent",
            "--timeout=" + LONGEST_FAST_STOP_SECONDS,
            "--pgdata=" + dataDirectory));
  }

  /** The directory of the data. */
  public Path dataDirectory() {
    return dataDirectory;
  }

  /** The options that the server is set up with. */
  public PostgresOptions options() {
    return options;
  }

  /** The URL for JDBC. */
  public String jdbcUrl() {
    return options.jdbcUrl();
  }

  /**
   * Whether the server has finished starting and accepts connections, as it says itself in its data
   * directory. What one that was killed left there is not believed.
   */
  public boolean isReady() {
    try {
      List<String> lines = Files.readAllLines(dataDirectory.resolve("postmaster.pid"));
      return lines.size() > STATUS_LINE
          && lines.get(STATUS_LINE).strip().equals("ready")
          && ProcessHandle.of(Long.parseLong(lines.getFirst().strip())).isPresent();
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  /**
   * Fails with a clear message when the address does not belong to this machine or the port is in
   * use.
   */
  public void checkAddress() {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(options.address()), options.port()));
    } catch (BindException e) {
      String where = options.address() + " port " + options.port();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "The database cannot listen at %s (%s): stop what listens there, or choose another address or port."
              .formatted(where, e.getMessage()),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the server and returns when it accepts connections; its log goes to a file. */
  public void start() {
    checkAddress();
    Path log = logFile();
    try {
      Files.deleteIfExists(log);
      Process started =
          Keeper.ofThisProcess()
              .startApart(
                  new ProcessBuilder(command())
                      .directory(Path.of("/").toFile())
                      .redirectErrorStream(true)
                      .redirectOutput(log.toFile()));
      process = started;
      switch (ReadyWait.until(this::isReady, started, LONGEST_START, TimeSource.system())) {
        case READY -> {}
        case ENDED -> throw failure("PostgreSQL ended with exit code " + started.exitValue(), log);
        case LATE ->
            throw failure(
                "PostgreSQL was not ready within " + LONGEST_START.toSeconds() + " s", log);
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot start PostgreSQL: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(ErrorCode.CHECK_FAILED, "Interrupted while starting", e);
    }
  }

  /**
   * Ends the server that {@link #start()} started: cleanly, or by force when that takes longer than
   * {@value #LONGEST_FAST_STOP_SECONDS} s. Does nothing when it is not running.
   */
  public void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    process = null;
    if (!running.isAlive()) {
      return;
    }
    try {
      Commands.run("pg_ctl", stopCommand(), "");
    } catch (TerraceException e) {
      kill(running);
    }
    try {
      running.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Kills all processes of the server that {@link #start()} started, as a crash does, and waits for
   * their end; {@link #start()} then recovers what was committed, as far as the durability says.
   * Does nothing when it is not running.
   */
  public void crash() {
    Process running = process;
    process = null;
    if (running != null) {
      // A server that stands still starts no more processes while those it has are looked for.
      signal("STOP", running.toHandle());
      kill(running).forEach(child -> child.onExit().join());
      running.onExit().join();
    }
  }

  /**
   * Stops all processes of the server that {@link #start()} started without ending them: they
   * answer nothing, and keep their connections and locks, until {@link #resume()}. Does nothing
   * when it is not running.
   */
  public void suspend() {
    signal("STOP");
  }

  /** Lets the processes that {@link #suspend()} stopped go on. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String signal) {
    Process running = process;
    if (running != null) {
      signal(signal, running.toHandle());
      running.descendants().forEach(child -> signal(signal, child));
    }
  }

  private static void signal(String signal, ProcessHandle target) {
    try {
      ChildProcess.signal(signal, target.pid());
    } catch (IOException e) {
      if (target.isAlive()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static List<ProcessHandle> kill(Process running) {
    List<ProcessHandle> children = running.descendants().toList();
    running.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    return children;
  }

  /** Stops the server and deletes its data directory unless that is the caller's. */
  @Override
  public void close() {
    stop();
    try {
      if (ownsDirectory) {
        DirectoryTree.delete(dataDirectory);
      }
      Files.deleteIfExists(logFile());
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot delete the database's directory %s (%s): delete it by hand."
              .formatted(dataDirectory, e.getMessage()),
          e);
    }
  }

  private String dataSetName(String dataSet) {
    return options.user() + "-" + options.database() + "-" + dataSet;
  }

  private Path logFile() {
    return dataDirectory.resolveSibling(dataDirectory.getFileName() + ".log");
  }

  private void configure() {
    try {
      PostgresCluster.configure(options, dataDirectory);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot write the configuration below %s (%s).".formatted(dataDirectory, e.getMessage()),
          e);
    }
  }

  private Path makeDataDirectory(PostgresOptions wanted, Path folder) {
    try {
      Path directory =
          wanted.dataDirectory().isPresent()
              ? Files.createDirectories(wanted.dataDirectory().get().toAbsolutePath())
              : Files.createTempDirectory(folder, "terrace-postgres-");
      try (var entries = Files.newDirectoryStream(directory)) {
        if (entries.iterator().hasNext()) {
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              "The database's data directory %s is not empty: delete it or name another."
                  .formatted(directory));
        }
      }
      account.own(directory);
      account.checkReach(directory, "name a directory below one that everybody may enter");
      return directory;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot make the database's data directory %s (%s): name one that may be written."
              .formatted(wanted.dataDirectory().orElse(folder), e),
          e);
    }
  }

  private static TerraceException failure(String what, Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    List<String> last = lines.subList(Math.max(0, lines.size() - SHOWN_LOG_LINES), lines.size());
    return new TerraceException(
        ErrorCode.MACHINE_LACKS, what + "; its log ends with:\n" + String.join("\n", last));
  }
}
