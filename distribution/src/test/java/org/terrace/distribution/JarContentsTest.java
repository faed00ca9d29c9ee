package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** No module's jar bears what differs from build to build: the time, the folder or the person. */
class JarContentsTest {
  private static final Path ROOT = SourceTree.root();

  /** The root pom's {@code project.build.outputTimestamp}. */
  private static final String OUTPUT_TIME = "2026-01-01T00:00";

  /**
   * The attributes of a manifest: they tell of the tools and of the version, never of the build.
   */
  private static final Set<String> ATTRIBUTES =
      Set.of(
          "Automatic-Module-Name",
          "Build-Jdk-Spec",
          "Created-By",
          "Implementation-Title",
          "Implementation-Version",
          "Java-Version",
          "Main-Class",
          "Manifest-Version",
          "Multi-Release");

  @Test
  void noJarTellsWhenWhereOrByWhomItWasMade() throws Exception {
    Set<String> times = new TreeSet<>();
    Set<String> attributes = new TreeSet<>();
    List<String> places = new ArrayList<>();
    for (Path folder : targets()) {
      for (Path file : jars(folder)) {
        try (JarFile jar = new JarFile(file.toFile())) {
          for (JarEntry entry : Collections.list(jar.entries())) {
            times.add(entry.getTimeLocal().toString());
            byte[] bytes = jar.getInputStream(entry).readAllBytes();
            if (new String(bytes, StandardCharsets.ISO_8859_1).contains(ROOT.toString())) {
              places.add(file.getFileName() + ": " + entry.getName());
            }
          }
          jar.getManifest()
              .getMainAttributes()
              .keySet()
              .forEach(key -> attributes.add(key.toString()));
        }
      }
    }
    Assumptions.assumeFalse(times.isEmpty(), "no jar is made yet: ./build makes them");
    assertThat(times).containsExactly(OUTPUT_TIME);
    assertThat(places).isEmpty();
    assertThat(attributes).isSubsetOf(ATTRIBUTES);
  }

  private static List<Path> targets() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, SourceTree.MODULE_DEPTH)) {
      return files
          .filter(file -> file.endsWith("pom.xml") && !file.startsWith(ROOT.resolve("examples")))
          .map(pom -> pom.resolveSibling("target"))
          .toList();
    }
  }

  /** The jars of classes, without those of tests, sources and documentation. */
  static List<Path> jars(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(file -> !file.toString().matches(".*-(tests|sources|javadoc)\\.jar"))
          .toList();
    }
  }
}
