package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jars of all libraries, built again at another time in another folder, time zone and language,
 * have the same bytes. The checker of the compiler, which writes nothing and takes most of the
 * time, is left out.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ReproducibleJarTest {
  private static final Path ROOT = SourceTree.root();
  private static final Pattern CHECKER = Pattern.compile("<arg>-Xplugin:[^<]*</arg>");
  private static final Pattern LIBRARY =
      Pattern.compile("<artifactId>(terrace-[\\w-]+)</artifactId>");
  private static final long PATIENCE_SECONDS = 280;

  @TempDir Path scratch;

  @Test
  @Timeout(300)
  void everyLibraryIsTheSameWhoeverBuildsItWhereverAndWhenever() throws Exception {
    Map<String, Path> folders = foldersOfLibraries();
    Map<String, String> first = new TreeMap<>();
    for (Path folder : folders.values()) {
      for (Path jar : JarContentsTest.jars(ROOT.resolve(folder).resolve("target"))) {
        if (isOlderThanSources(jar, ROOT.resolve(folder))) {
          Assumptions.abort(jar + " is older than its sources: ./build or ./terrace makes it anew");
        }
        first.put(folder.toString(), digest(jar));
      }
    }
    Assumptions.assumeFalse(
        first.isEmpty(), "the jars are made by ./build or ./terrace, not by a test of one class");
    assertThat(first.keySet()).hasSize(folders.size()).hasSizeGreaterThan(25);
    copyProject(folders.values());

    build(folders.keySet().stream().map(name -> ":" + name).collect(Collectors.joining(",")));

    Map<String, String> again = new TreeMap<>();
    for (Path folder : folders.values()) {
      for (Path jar : JarContentsTest.jars(scratch.resolve(folder).resolve("target"))) {
        again.put(folder.toString(), digest(jar));
      }
    }
    assertThat(again).isEqualTo(first);
  }

  /** By artifact, the folder of each library that the bill of materials lists. */
  private static Map<String, Path> foldersOfLibraries() throws IOException {
    List<String> libraries =
        LIBRARY
            .matcher(Files.readString(ROOT.resolve("bom/pom.xml")))
            .results()
            .map((MatchResult found) -> found.group(1))
            .filter(name -> !name.equals("terrace-bom"))
            .toList();
    Map<String, Path> folders = new TreeMap<>();
    try (Stream<Path> files = Files.walk(ROOT, SourceTree.MODULE_DEPTH)) {
      for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
        String own = Files.readString(pom).replaceFirst("(?s)<parent>.*?</parent>", "");
        var artifact = LIBRARY.matcher(own);
        if (artifact.find() && libraries.contains(artifact.group(1))) {
          folders.put(artifact.group(1), ROOT.relativize(pom.getParent()));
        }
      }
    }
    assertThat(folders.keySet()).containsExactlyInAnyOrderElementsOf(libraries);
    return folders;
  }

  private static boolean isOlderThanSources(Path jar, Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module.resolve("src/main"))) {
      for (Path source : files.toList()) {
        if (Files.getLastModifiedTime(source).compareTo(Files.getLastModifiedTime(jar)) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Compiles and packs the libraries, whose dependencies of tests are not asked for so. */
  private void build(String projects) throws Exception {
    Path log = scratch.resolve("maven.log");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "umask 022 && exec \"$@\"", "sh"));
    command.addAll(
        List.of(ROOT.resolve("mvnw").toString(), "--batch-mode", "--no-transfer-progress"));
    command.addAll(List.of("--threads", "2", "--file", scratch.resolve("pom.xml").toString()));
    command.addAll(List.of("--projects", projects));
    command.addAll(List.of("resources:resources", "compiler:compile", "jar:jar"));
    ProcessBuilder maven =
        new ProcessBuilder(command)
            .directory(scratch.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    maven.environment().put("LC_ALL", "C");
    maven
        .environment()
        .put(
            "MAVEN_OPTS",
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.timezone=Pacific/Chatham"
                + " -Duser.language=de");
    Process build = maven.start();
    try {
      assertThat(build.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("it ended in time").isTrue();
    } finally {
      build.descendants().forEach(ProcessHandle::destroyForcibly);
      build.destroyForcibly();
    }
    assertThat(build.exitValue()).as(Files.readString(log)).isZero();
  }

  /** The project files of all modules, which Maven reads, and the sources of the libraries. */
  private void copyProject(Iterable<Path> libraries) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, SourceTree.MODULE_DEPTH)) {
      for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
        copy(pom);
      }
    }
    Path project = scratch.resolve("pom.xml");
    Files.writeString(project, CHECKER.matcher(Files.readString(project)).replaceAll(""));
    List<Path> folders = new ArrayList<>(List.of(Path.of(".mvn")));
    libraries.forEach(library -> folders.add(library.resolve("src/main")));
    for (Path folder : folders) {
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
