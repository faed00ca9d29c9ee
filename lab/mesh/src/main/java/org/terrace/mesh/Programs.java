package org.terrace.mesh;

import java.io.File;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.experiment.TrialOptions;
import org.terrace.specification.MeshSpecification;

/** The programs that trials start. Stateless. */
final class Programs {
  private Programs() {}

  /** The files and directories on the class paths. */
  static List<Path> classpath(TrialOptions options) {
    return Stream.of(options.loadClasspath(), options.proxyClasspath(), options.boardClasspath())
        .flatMap(classpath -> Stream.of(classpath.split(File.pathSeparator, -1)))
        .map(entry -> entry.endsWith("/*") ? entry.substring(0, entry.length() - 2) : entry)
        .map(Path::of)
        .toList();
  }

  /** The files of the user's own programs that play servers of a mesh. */
  static List<Path> own(MeshSpecification mesh) {
    return mesh.trials().stream()
        .flatMap(trial -> trial.experiment().programs().values().stream())
        .flatMap(program -> program.files().stream())
        .distinct()
        .toList();
  }

  /** The same as of files that are read for it alone. */
  static String digest(TrialOptions options) {
    List<Path> classpath = classpath(options);
    return digest(classpath, ProgramFiles.of(classpath));
  }

  /**
   * The SHA-256 digest of the names and bytes of all files on the class paths, 64 hexadecimal
   * digits.
   */
  static String digest(List<Path> classpath, ProgramFiles files) {
    MessageDigest digest = TrialKey.sha256();
    for (Path place : classpath) {
      files
          .digests(place)
          .forEach((name, content) -> {
            TrialKey.add(digest, name);
            TrialKey.add(digest, content);
          });
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
