package org.terrace.mesh;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.experiment.TrialOptions;

/** The digest of the programs that trials start. Stateless. */
final class Programs {
  private static final int BUFFER = 1 << 16;

  private Programs() {}

  /**
   * The SHA-256 digest of the names and bytes of all files on the class paths, 64 hexadecimal
   * digits. Reads them all, some 100 MB.
   */
  static String digest(TrialOptions options) {
    MessageDigest digest = TrialKey.sha256();
    try {
      for (String classpath :
          List.of(options.loadClasspath(), options.proxyClasspath(), options.boardClasspath())) {
        for (String entry : classpath.split(File.pathSeparator, -1)) {
          add(digest, entry);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the programs of a trial cannot be read", e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, String entry) throws IOException {
    Path path = Path.of(entry.endsWith("/*") ? entry.substring(0, entry.length() - 2) : entry);
    if (!Files.exists(path)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> found = Files.walk(path)) {
      files = found.filter(Files::isRegularFile).sorted().toList();
    }
    byte[] buffer = new byte[BUFFER];
    for (Path file : files) {
      TrialKey.add(digest, path.relativize(file).toString());
      TrialKey.add(digest, Long.toString(Files.size(file)));
      try (InputStream stream = Files.newInputStream(file)) {
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
          digest.update(buffer, 0, count);
        }
      }
    }
  }
}
