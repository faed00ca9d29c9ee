package org.terrace.distribution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The project's own source files. */
final class SourceTree {
  /**
   * The most folders below the root at which a module can lie: {@code lab/apps/board/pom.xml} is 4.
   */
  static final int MODULE_DEPTH = 4;

  private SourceTree() {}

  /** The root folder of the project. */
  static Path root() {
    return Path.of(System.getProperty("terrace.root"));
  }

  /** The Java files below {@code src/main} or {@code src/test} of every module. */
  static List<Path> javaFiles(Path root, String sourceSet) {
    String part = "src/" + sourceSet + "/java";
    try (var files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> root.relativize(file).toString().contains(part))
          .filter(file -> !root.relativize(file).toString().contains("target/"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
