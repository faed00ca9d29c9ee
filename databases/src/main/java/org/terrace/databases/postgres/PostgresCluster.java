package org.terrace.databases.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.databases.Commands;
import org.terrace.databases.DirectoryTree;
import org.terrace.databases.MachineCache;
import org.terrace.databases.ServerAccount;

/**
 * Makes data directories: a template by {@code initdb}, once a machine; copies of it, or of a data
 * set that was kept, for each server.
 *
 * <p>A template holds the role and the database of the options. Copies are made by {@code cp} under
 * the server's account, so that they belong to it.
 */
final class PostgresCluster {
  /** The number of data sets that are kept; the one not used for the longest time goes first. */
  static final int KEPT_DATA_SETS = 4;

  private static final String CONFIGURATION = "terrace.conf";

  private final ServerAccount account;
  private final PostgresPrograms programs;
  private final Path templates;

  PostgresCluster(ServerAccount account, PostgresPrograms programs, Path cache) {
    this.account = account;
    this.programs = programs;
    this.templates =
        cache.resolve(
            "data-" + programs.home().getFileName() + account.name().map(n -> "-" + n).orElse(""));
  }

  /** Fills an empty directory with the template's data. */
  void fromTemplate(PostgresOptions options, Path target) {
    Path template = templates.resolve("empty-" + options.user() + "-" + options.database());
    exclusively(() -> {
      if (!Files.isDirectory(template)) {
        Path fresh = freshDirectory();
        initialise(options, fresh);
        Files.move(fresh, template, StandardCopyOption.ATOMIC_MOVE);
      }
    });
    copy(template, target);
  }

  /** Fills an empty directory with a data set that was kept, or says that there is none. */
  boolean fromDataSet(String name, Path target) {
    Path kept = dataSet(name);
    boolean[] found = new boolean[1];
    exclusively(() -> {
      if (Files.isDirectory(kept)) {
        copy(kept, target);
        touch(kept);
        found[0] = true;
      }
    });
    return found[0];
  }

  /** Keeps the data of a server that has been stopped cleanly under a name. */
  void keep(Path data, String name) {
    Path kept = dataSet(name);
    exclusively(() -> {
      Path fresh = freshDirectory();
      copy(data, fresh);
      DirectoryTree.delete(kept);
      Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
      touch(kept);
      forgetOldest();
    });
  }

  /** Writes the configuration of a server into its data directory. */
  static void configure(PostgresOptions options, Path data) throws IOException {
    StringBuilder settings = new StringBuilder();
    settings(options)
        .forEach((name, value) ->
            settings.append(name).append(" = '").append(value.replace("'", "''")).append("'\n"));
    Path configuration = data.resolve(CONFIGURATION);
    Files.writeString(configuration, settings);
    // Written by the caller, read by the server's account; the directory is closed to all others.
    Files.setPosixFilePermissions(configuration, PosixFilePermissions.fromString("rw-r--r--"));
    Path main = data.resolve("postgresql.conf");
    String include = "include = '" + CONFIGURATION + "'\n";
    if (!Files.readString(main).contains(include)) {
      Files.writeString(main, include, StandardOpenOption.APPEND);
    }
    StringBuilder access = new StringBuilder();
    for (String network : options.clientNetworks()) {
      access.append("host %s %s %s trust%n".formatted(options.database(), options.user(), network));
    }
    Files.writeString(data.resolve("pg_hba.conf"), access);
  }

  private static Map<String, String> settings(PostgresOptions options) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("listen_addresses", options.address());
    settings.put("port", String.valueOf(options.port()));
    settings.put("unix_socket_directories", "");
    settings.put("max_connections", String.valueOf(options.maximumConnections()));
    settings.put("shared_buffers", options.sharedBuffersMebibytes() + "MB");
    settings.put("huge_pages", "off");
    // A single server without replicas: the log need not carry what only they would read.
    settings.put("wal_level", "minimal");
    settings.put("max_wal_senders", "0");
    settings.put("max_wal_size", "1GB");
    // Statements of a page take microseconds: compiling them or splitting them costs more.
    settings.put("jit", "off");
    settings.put("max_parallel_workers_per_gather", "0");
    // A trial's data lie in memory or on a solid-state disk: reading by index is not dear there.
    settings.put("random_page_cost", "1.1");
    settings.put("timezone", "UTC");
    settings.put("log_timezone", "UTC");
    settings.put("log_checkpoints", "on");
    switch (options.durability()) {
      case DISK -> settings.put("synchronous_commit", "on");
      case DELAYED -> settings.put("synchronous_commit", "off");
      case NONE -> {
        settings.put("synchronous_commit", "off");
        settings.put("fsync", "off");
        settings.put("full_page_writes", "off");
      }
    }
    settings.putAll(options.settings());
    return settings;
  }

  private void initialise(PostgresOptions options, Path data) throws IOException {
    Commands.run(
        "initdb",
        account.run(
            List.of(
                programs.program("initdb"),
                "--pgdata=" + data,
                "--username=postgres",
                "--auth=trust",
                "--no-sync",
                "--no-instructions",
                "--encoding=UTF8",
                "--locale=C")),
        "");
    String owner = options.user();
    String statements =
        "CREATE ROLE %s LOGIN;\nGRANT pg_monitor, pg_checkpoint TO %s;\nCREATE DATABASE %s OWNER %s;\n"
            .formatted(owner, owner, options.database(), owner);
    Commands.run(
        "postgres --single",
        account.run(
            List.of(
                programs.program("postgres"), "--single", "-F", "-D", data.toString(), "postgres")),
        statements);
  }

  private void copy(Path from, Path to) {
    Commands.run(
        "cp",
        account.run(List.of("cp", "--archive", "--reflink=auto", from + "/.", to.toString())),
        "");
  }

  private Path freshDirectory() throws IOException {
    Path fresh = Files.createTempDirectory(templates, "making-");
    account.own(fresh);
    return fresh;
  }

  private void exclusively(MachineCache.Work work) {
    try {
      Files.createDirectories(templates);
      account.own(templates);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot prepare %s (%s): set %s to a directory that may be written."
              .formatted(templates, e.getMessage(), MachineCache.VARIABLE),
          e);
    }
    MachineCache.exclusively(templates, work);
  }

  private Path dataSet(String name) {
    if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new IllegalArgumentException("not a name of a data set: " + name);
    }
    return templates.resolve("set-" + name);
  }

  private static void touch(Path directory) throws IOException {
    long nanos = TimeSource.system().epochNanos();
    Files.setLastModifiedTime(directory, FileTime.from(nanos, TimeUnit.NANOSECONDS));
  }

  private void forgetOldest() throws IOException {
    List<Path> kept = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(templates, "set-*")) {
      entries.forEach(kept::add);
    }
    kept.sort(Comparator.comparing(PostgresCluster::lastUse).reversed());
    for (Path old : kept.subList(Math.min(KEPT_DATA_SETS, kept.size()), kept.size())) {
      DirectoryTree.delete(old);
    }
  }

  private static FileTime lastUse(Path directory) {
    try {
      return Files.getLastModifiedTime(directory);
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }
}
