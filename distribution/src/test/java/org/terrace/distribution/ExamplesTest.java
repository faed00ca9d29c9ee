package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples as their readers build them: each a project of its own, copied to where nothing of
 * this one is near, built by Maven from artefacts in a local repository. That repository is made
 * for the test; the user's own, behind it, has the libraries of others and is only read.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ExamplesTest {
  private static final Path ROOT = SourceTree.root();

  @TempDir Path scratch;

  static Stream<Arguments> examples() {
    return Stream.of(
        Arguments.of("shop", "shop.ShopTest", 2),
        Arguments.of("bookshop", "bookshop.BookshopTest", 1),
        Arguments.of("signed-in", "signedin.SignedInTest", 1));
  }

  @ParameterizedTest
  @MethodSource("examples")
  @Timeout(300)
  void anExampleBuildsAndKeepsItsPromises(String name, String test, int count) throws Exception {
    Path repository = Files.createDirectory(scratch.resolve("repository"));
    installProject(repository);
    Path example = scratch.resolve(name);
    copySources(ROOT.resolve("examples").resolve(name), example);

    Path log = scratch.resolve("maven.log");
    ProcessBuilder maven =
        new ProcessBuilder(
                ROOT.resolve("mvnw").toString(),
                "--batch-mode",
                "--no-transfer-progress",
                "--file",
                example.resolve("pom.xml").toString(),
                "-Dmaven.repo.local=" + repository,
                "-Dmaven.repo.local.tail=" + usersRepository(),
                "verify")
            .directory(example.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    maven.environment().put("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m");
    Process build = maven.start();
    try {
      assertThat(build.waitFor(280, TimeUnit.SECONDS)).as("the build ended in time").isTrue();
    } finally {
      build.descendants().forEach(ProcessHandle::destroyForcibly);
      build.destroyForcibly();
    }

    assertThat(build.exitValue()).as(() -> read(log)).isZero();
    assertThat(read(example.resolve("target/surefire-reports/" + test + ".txt")))
        .contains("Tests run: " + count + ", Failures: 0, Errors: 0, Skipped: 0");
  }

  /** Lays the artefacts that the reactor has made as {@code mvn install} would. */
  private static void installProject(Path repository) throws IOException {
    Assumptions.assumeTrue(
        Files.exists(ROOT.resolve("core/target/terrace-core-" + version() + ".jar")),
        "the jars are made by ./build or ./terrace, not by a test of one class");
    LocalRepository.install(ROOT, repository);
  }

  private static String version() throws IOException {
    return LocalRepository.version(ROOT.resolve("pom.xml"));
  }

  private static void copySources(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path relative = from.relativize(file);
        if (!relative.startsWith("target")) {
          Files.copy(file, to.resolve(relative.toString()));
        }
      }
    }
  }

  private static Path usersRepository() {
    String known = System.getProperty("localRepository");
    return known != null
        ? Path.of(known)
        : Path.of(System.getProperty("user.home"), ".m2", "repository");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "no " + file;
    }
  }
}
