package org.terrace.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A repository of Maven's in a folder, with the artefacts that the project's build has made. */
final class LocalRepository {
  private static final String GROUP_FOLDER = "org/terrace";

  /** The module whose jar is made after these tests, and on which nothing depends. */
  private static final String OWN = "terrace-distribution";

  private LocalRepository() {}

  /**
   * Lays the project files and jars of a project as {@code mvn install} would.
   *
   * @throws NoSuchFileException if a module that makes a jar has none: whoever depends on it would
   *     be told of a repository instead, or find an older one
   */
  static void install(Path root, Path repository) throws IOException {
    try (Stream<Path> poms = Files.walk(root, SourceTree.MODULE_DEPTH)) {
      for (Path pom : poms.filter(path -> path.endsWith("pom.xml")).sorted().toList()) {
        String text = Files.readString(pom);
        if (text.contains("<groupId>org.terrace<")
            && !root.relativize(pom).startsWith("examples")
            && root.relativize(pom).toString().indexOf("target/") < 0) {
          String own = text.replaceFirst("(?s)<parent>.*?</parent>", "");
          String artifact = between(own, "<artifactId>", "</artifactId>");
          boolean hasJar = !own.contains("<packaging>pom</packaging>") && !artifact.equals(OWN);
          install(repository, pom, artifact, hasJar);
        }
      }
    }
  }

  /** The first version that a project file names: its own, or its parent's. */
  static String version(Path pom) throws IOException {
    return between(Files.readString(pom), "<version>", "</version>");
  }

  private static void install(Path repository, Path pom, String artifact, boolean hasJar)
      throws IOException {
    String version = version(pom);
    Path folder = repository.resolve(GROUP_FOLDER).resolve(artifact).resolve(version);
    Files.createDirectories(folder);
    String name = artifact + "-" + version;
    Files.copy(pom, folder.resolve(name + ".pom"));
    if (hasJar) {
      Path jar = pom.resolveSibling("target").resolve(name + ".jar");
      if (!Files.exists(jar)) {
        throw new NoSuchFileException(
            jar.toString(), null, "the build has made no jar of this module: call ./build");
      }
      Files.copy(jar, folder.resolve(name + ".jar"));
    }
  }

  private static String between(String text, String start, String end) {
    int from = text.indexOf(start) + start.length();
    return text.substring(from, text.indexOf(end, from));
  }
}
