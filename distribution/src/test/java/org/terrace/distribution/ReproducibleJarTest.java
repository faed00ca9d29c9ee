package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar of a module, built again at another time in another folder, has the same bytes; and no
 * module's jar bears what would differ: the time, the folder or the person of its build.
 */
@Tag("real-processes")
@Tag("untimed")
class ReproducibleJarTest {
  private static final Path ROOT = SourceTree.root();
  private static final String FOLDER = "core/target";

  /** The root pom's {@code project.build.outputTimestamp}. */
  private static final String OUTPUT_TIME = "2026-01-01T00:00";

  /** What a manifest says: of the tools and of the version, never of the build. */
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

  @TempDir Path scratch;

  @Test
  @Timeout(180)
  void coreIsTheSameWhoeverBuildsItWhereverAndWhenever() throws Exception {
    List<Path> first = jars(ROOT.resolve(FOLDER));
    Assumptions.assumeFalse(
        first.isEmpty(), "the jars are made by ./build or ./terrace, not by a test of one class");
    assertThat(first).hasSize(1);
    copyProject();

    Path log = scratch.resolve("maven.log");
    ProcessBuilder maven =
        new ProcessBuilder(
                ROOT.resolve("mvnw").toString(),
                "--batch-mode",
                "--no-transfer-progress",
                "--file",
                scratch.resolve("pom.xml").toString(),
                "--projects",
                "core",
                "-Dmaven.test.skip",
                "package")
            .directory(scratch.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process build = maven.start();
    try {
      assertThat(build.waitFor(150, TimeUnit.SECONDS)).as("the build ended in time").isTrue();
    } finally {
      build.descendants().forEach(ProcessHandle::destroyForcibly);
      build.destroyForcibly();
    }

    assertThat(build.exitValue()).as(Files.readString(log)).isZero();
    Path again = scratch.resolve(FOLDER).resolve(first.getFirst().getFileName().toString());
    assertThat(digest(again)).isEqualTo(digest(first.getFirst()));
  }

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
  private static List<Path> jars(Path folder) throws IOException {
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

  /** The project files of all modules, which Maven reads, and the sources of one. */
  private void copyProject() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, SourceTree.MODULE_DEPTH)) {
      for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
        copy(pom);
      }
    }
    for (String folder : new String[] {".mvn", "core/src/main"}) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          copy(file);
        }
      }
    }
  }

  private void copy(Path file) throws IOException {
    Path target = scratch.resolve(ROOT.relativize(file).toString());
    Files.createDirectories(target.getParent());
    Files.copy(file, target);
  }

  private static String digest(Path jar) throws Exception {
    byte[] bytes = Files.readAllBytes(jar);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
