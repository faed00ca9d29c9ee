package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Await;

/**
 * The script {@code ./terrace} in a project of its own, whose Maven and Java are scripts: it builds
 * when anything that its jars are made of is not what they were made of.
 */
@Tag("real-processes")
@Tag("untimed")
class TerraceScriptTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BUILT = "Building Terrace";

  @TempDir private Path directory;
  private Path project;

  @BeforeEach
  void copyTheScripts() throws IOException {
    // Folders of this name in the project hold no sources; one above it hides nothing.
    project = directory.resolve("target/project");
    for (String script : List.of("build", "terrace")) {
      write(script, Files.readString(ROOT.resolve(script)));
    }
    try (DirectoryStream<Path> tools = Files.newDirectoryStream(ROOT.resolve("tools"), "*.sh")) {
      for (Path tool : tools) {
        write("tools/" + tool.getFileName(), Files.readString(tool));
      }
    }
    write("pom.xml", "<project/>");
    write("shop/pom.xml", "<project/>");
    write("shop/src/main/java/Shop.java", "class Shop {}");
    write("shop/src/main/java/Till.java", "class Till {}");
    write(".mvn/jvm.config", "-Xmx1g");
    script("jdk/bin/java", "echo running");
    script("jdk/bin/javac", "exit 0");
    write("jdk/release", "JAVA_VERSION=\"25\"\n");
    maven("exit 0");
  }

  @Test
  void whatNeedsNoBuildRunsAtOnce() throws Exception {
    assertThat(terrace()).contains(BUILT, "running");
    write("shop/target/classes/src/main/Shop.class", "");
    write("shop/src/test/java/ShopTest.java", "class ShopTest {}");
    assertThat(terrace()).contains("running").doesNotContain(BUILT);
  }

  @Test
  void aSourceSavedWhileItIsBuiltIsBuiltNext() throws Exception {
    maven("echo 'class Shop { int x; }' >shop/src/main/java/Shop.java");
    assertThat(terrace()).contains(BUILT);
    maven("exit 0");
    assertThat(terrace()).contains(BUILT);
    assertThat(terrace()).doesNotContain(BUILT);
  }

  /** The time of a file is that of the kernel's last tick, which more than one file may bear. */
  @Test
  @Tag("long")
  void aSourceSavedAsSoonAsABuildHasBegunIsNewerThanItsStamp() throws Exception {
    write(
        "begin",
        """
        root=$PWD
        . tools/stamp.sh
        round=0
        while [ $round -lt 20 ]; do
          begin_stamp
          echo 'class Shop {}' >shop/src/main/java/Shop.java
          end_stamp
          is_stamp_true && echo "not seen in round $round"
          round=$((round + 1))
        done
        ls distribution/target
        """);
    assertThat(call("begin")).isEqualTo("terrace\n");
  }

  @Test
  void theBuildOfAllStampsToo() throws Exception {
    maven("echo 'class Shop { int x; }' >shop/src/main/java/Shop.java");
    assertThat(call("./build")).contains("Build passed");
    maven("exit 0");
    assertThat(terrace()).contains(BUILT);
    Files.delete(project.resolve("distribution/target/terrace/built"));
    assertThat(call("./build")).contains("Build passed");
    assertThat(terrace()).doesNotContain(BUILT);
  }

  @Test
  void aFailedBuildIsTriedAgain() throws Exception {
    maven("exit 1");
    assertThat(call("./build")).doesNotContain("Build passed");
    assertThat(terrace()).contains(BUILT, "The build failed").doesNotContain("running");
    assertThat(terrace()).contains(BUILT, "The build failed");
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(project.resolve("distribution/target"), "built*")) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aSourceRemovedOrMovedInFromElsewhereIsSeen() throws Exception {
    terrace();
    Path till = project.resolve("shop/src/main/java/Till.java");
    Files.setLastModifiedTime(till, FileTime.fromMillis(0));
    assertThat(terrace()).doesNotContain(BUILT);
    Path elsewhere = directory.resolve("Till.java");
    Files.move(till, elsewhere);
    assertThat(terrace()).contains(BUILT);
    assertThat(terrace()).doesNotContain(BUILT);
    Files.move(elsewhere, till);
    assertThat(terrace()).contains(BUILT);
  }

  @Test
  @Tag("long")
  void aChangeTakenBackAfterABuildThatFailedIsSeen() throws Exception {
    terrace();
    Path shop = project.resolve("shop/src/main/java/Shop.java");
    Path kept = directory.resolve("Shop.java");
    Files.move(shop, kept);
    Files.writeString(shop, "class Shop { int x; }");
    maven("echo compiling; exit 1");
    assertThat(call("./build")).contains("compiling").doesNotContain("Build passed");
    Files.move(kept, shop, StandardCopyOption.REPLACE_EXISTING);
    maven("exit 0");
    assertThat(terrace()).contains(BUILT);
  }

  @Test
  @Tag("long")
  void aChangeOfHowItIsBuiltIsSeen() throws Exception {
    terrace();
    for (String file : List.of("pom.xml", ".mvn/jvm.config", "tools/maven.sh", "mvnw")) {
      Files.writeString(project.resolve(file), "\n", StandardOpenOption.APPEND);
      assertThat(terrace()).as(file).contains(BUILT);
      assertThat(terrace()).as(file).doesNotContain(BUILT);
    }
  }

  @Test
  void aKillWhileItBuildsEndsMavenToo() throws Exception {
    String seconds = Long.toString(200_000 + ProcessHandle.current().pid());
    maven("setsid sleep " + seconds + " & sleep " + seconds);
    Process command = command("./terrace").start();
    assertThat(Await.until(PATIENCE, () -> sleepers(seconds).size() == 2)).isTrue();
    command.destroyForcibly().waitFor();
    boolean ended = Await.until(PATIENCE, () -> sleepers(seconds).isEmpty());
    sleepers(seconds).forEach(ProcessHandle::destroyForcibly);
    assertThat(ended).isTrue();
  }

  private static List<ProcessHandle> sleepers(String seconds) {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().arguments().map(List::of).orElse(List.of()).equals(List.of(seconds)))
        .toList();
  }

  private String terrace() throws Exception {
    return call("./terrace");
  }

  private String call(String script) throws Exception {
    Process process = command(script).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  private ProcessBuilder command(String script) {
    ProcessBuilder command = new ProcessBuilder("sh", script);
    command.directory(project.toFile()).redirectErrorStream(true);
    command.environment().put("TERRACE_JAVA_HOME", project.resolve("jdk").toString());
    return command;
  }

  private void maven(String lines) throws IOException {
    script("mvnw", "case \"$*\" in *spotless*) exit 0 ;; esac\ncd \"$(dirname \"$0\")\"\n" + lines);
    // The test's own changes of this script are not what is tried.
    Files.setLastModifiedTime(project.resolve("mvnw"), FileTime.fromMillis(0));
  }

  private void script(String path, String lines) throws IOException {
    write(path, "#!/bin/sh\n" + lines + "\n");
    assertThat(project.resolve(path).toFile().setExecutable(true)).isTrue();
  }

  private void write(String path, String text) throws IOException {
    Path file = project.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
