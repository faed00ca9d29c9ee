package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar of a module, built again at another time in another folder, has the same bytes. */
@Tag("real-processes")
@Tag("untimed")
class ReproducibleJarTest {
  private static final Path ROOT = SourceTree.root();
  private static final String FOLDER = "core/target";

  @TempDir Path scratch;

  @Test
  @Timeout(180)
  void coreIsTheSameWhoeverBuildsItWhereverAndWhenever() throws Exception {
    List<Path> first = JarContentsTest.jars(ROOT.resolve(FOLDER));
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
