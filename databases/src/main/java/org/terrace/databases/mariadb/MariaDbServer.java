package org.terrace.databases.mariadb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
 * A MariaDB server with one database for one user, at an address of its own, as one process.
 *
 * <p>{@link #initialise()} fills a fresh directory (half a second), {@link #start()} returns when
 * the server accepts connections (half a second), {@link #close()} ends it and deletes the
 * directory. Confined to one thread.
 */
public final class MariaDbServer implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final Duration LONGEST_STOP = Duration.ofSeconds(10);
  private static final int SHOWN_LOG_LINES = 12;

  private final MariaDbOptions options;
  private final ServerAccount account;
  private final MariaDbPrograms programs;
  private final Path dataDirectory;
  private @Nullable Process process;

  /**
   * A server that has not been prepared yet.
   *
   * @throws TerraceException when this machine cannot run it: no programs, no account, no cache
   */
  public MariaDbServer(MariaDbOptions options) {
    this(options, Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * A server that has not been prepared yet, whose data lie in a fresh directory below a folder.
   *
   * @param folder one that every account may enter
   * @throws TerraceException when this machine cannot run it, as above
   */
  public MariaDbServer(MariaDbOptions options, Path folder) {
    this(options, installed(), folder, "terrace-mariadb-");
  }

  /**
   * A server of other programs whose data lie elsewhere, that has not been prepared yet.
   *
   * @param folder the directory below which its own is made
   * @param prefix the beginning of that one's name
   * @throws TerraceException when this machine cannot run it
   */
  public MariaDbServer(
      MariaDbOptions options, MariaDbPrograms programs, Path folder, String prefix) {
    this.options = options;
    this.account = ServerAccount.ofThisProcess();
    this.programs = programs;
    try {
      this.dataDirectory = Files.createTempDirectory(folder, prefix);
      account.own(dataDirectory);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot make the database's directory (" + e + ").", e);
    }
  }

  private static MariaDbPrograms installed() {
    return MariaDbPrograms.installed(MachineCache.directory(ServerAccount.ofThisProcess()));
  }

  /** Whether MariaDB's programs are on this machine; if not, a test that needs them is skipped. */
  public static boolean isInstallable() {
    return MariaDbPrograms.areThere();
  }

  /** Fills the data directory with the system's tables, the database and its user. */
  public MariaDbServer initialise() {
    return initialise("");
  }

  /**
   * Fills the data directory as {@link #initialise()} does, then runs further statements, one a
   * line, in the database {@code mysql}: what they write is there when the server starts.
   */
  public MariaDbServer initialise(String further) {
    try {
      String statements =
          "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n"
              + programs.systemTables()
              + "DELETE FROM mysql.global_priv;\nFLUSH PRIVILEGES;\n"
              + "CREATE DATABASE %s CHARACTER SET utf8mb4;\n".formatted(options.database())
              + options.clientHosts().stream().map(this::account).collect(Collectors.joining())
              + further;
      List<String> command = new ArrayList<>(programCommand());
      command.add("--bootstrap");
      Commands.run("mariadbd --bootstrap", account.run(command), statements);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a file into the data directory, which the server may read and write. */
  public MariaDbServer put(String name, String content) {
    try {
      account.own(Files.writeString(dataDirectory.resolve(name), content));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The statements that make the user's account for clients of some hosts. */
  private String account(String hosts) {
    String name = "'%s'@'%s'".formatted(options.user(), hosts);
    return "CREATE USER %s IDENTIFIED BY '';\n".formatted(name)
        + "GRANT ALL ON %s.* TO %s;\n".formatted(options.database(), name)
        + "GRANT PROCESS, RELOAD ON *.* TO %s;\n".formatted(name);
  }

  /** The command that starts the server in the foreground; it logs to standard error. */
  public List<String> command() {
    List<String> command = new ArrayList<>(programCommand());
    command.addAll(
        List.of(
            "--bind-address=" + options.address(),
            "--port=" + options.port(),
            "--socket=" + dataDirectory.resolve("socket"),
            "--pid-file=" + dataDirectory.resolve("pid"),
            "--skip-name-resolve",
            // Making a key pair costs four seconds of processor time at each first start.
            "--skip-ssl"));
    new TreeMap<>(options.settings())
        .forEach((name, value) -> command.add("--" + name + "=" + value));
    return account.run(command);
  }

  /** Starts the server and returns when it accepts connections; its log goes to a file. */
  public void start() {
    try {
      Process started =
          Keeper.ofThisProcess()
              .startApart(
                  new ProcessBuilder(command())
                      .directory(Path.of("/").toFile())
                      .redirectErrorStream(true)
                      .redirectOutput(logFile().toFile()));
      process = started;
      switch (ReadyWait.until(this::isReady, started, LONGEST_START, TimeSource.system())) {
        case READY -> {}
        case ENDED -> throw failure("MariaDB ended with exit code " + started.exitValue());
        case LATE ->
            throw failure("MariaDB was not ready within " + LONGEST_START.toSeconds() + " s");
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot start MariaDB: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(ErrorCode.CHECK_FAILED, "Interrupted while starting", e);
    }
  }

  /**
   * Kills the server that {@link #start()} started, as a crash does, and waits for its end; {@link
   * #start()} then recovers what was committed, as far as the settings let it. Does nothing when it
   * is not running.
   */
  public void crash() {
    Process running = process;
    process = null;
    if (running != null) {
      running.destroyForcibly().onExit().join();
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
      try {
        ChildProcess.signal(signal, running.pid());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Whether the server greets those who connect. */
  public boolean isReady() {
    try (Socket socket = new Socket()) {
      int timeoutMillis = (int) LONGEST_STOP.toMillis();
      socket.connect(new InetSocketAddress(options.address(), options.port()), timeoutMillis);
      socket.setSoTimeout(timeoutMillis);
      return socket.getInputStream().read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** The options that the server is set up with. */
  public MariaDbOptions options() {
    return options;
  }

  /** The URL for JDBC. */
  public String jdbcUrl() {
    return options.jdbcUrl();
  }

  /**
   * Ends the server that {@link #start()} started, cleanly if that takes no longer than ten
   * seconds. Does nothing when it is not running.
   */
  public void stop() {
    Process running = process;
    process = null;
    try {
      if (running != null) {
        running.destroy();
        if (!running.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
          running.destroyForcibly().waitFor();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the server and deletes its data. */
  @Override
  public void close() {
    stop();
    try {
      DirectoryTree.delete(dataDirectory);
      Files.deleteIfExists(logFile());
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot delete the database's directory %s (%s): delete it by hand."
              .formatted(dataDirectory, e.getMessage()),
          e);
    }
  }

  /**
   * Temporary files lie in its own directory: a server that starts deletes all in its place for
   * them.
   */
  private List<String> programCommand() {
    List<String> command = new ArrayList<>(programs.program());
    command.addAll(
        List.of(
            "--no-defaults",
            "--basedir=" + programs.home(),
            "--lc-messages-dir=" + programs.share(),
            "--datadir=" + dataDirectory,
            "--tmpdir=" + dataDirectory,
            "--innodb-log-file-size=16M"));
    return command;
  }

  private Path logFile() {
    return dataDirectory.resolveSibling(dataDirectory.getFileName() + ".log");
  }

  private TerraceException failure(String what) throws IOException {
    List<String> lines = Files.readAllLines(logFile());
    List<String> last = lines.subList(Math.max(0, lines.size() - SHOWN_LOG_LINES), lines.size());
    return new TerraceException(
        ErrorCode.MACHINE_LACKS, what + "; its log ends with:\n" + String.join("\n", last));
  }
}
