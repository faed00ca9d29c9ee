package org.terrace.distribution.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A project of its own that has the script {@code ./build}, and a script in Maven's place. */
final class ScriptedProject {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));

  private final Path folder;

  private ScriptedProject(Path folder) {
    this.folder = folder;
  }

  /** Puts the script and its tools into an empty folder. */
  static ScriptedProject in(Path folder) throws IOException {
    Files.copy(ROOT.resolve("build"), folder.resolve("build"));
    Files.createDirectory(folder.resolve("tools"));
    try (DirectoryStream<Path> tools = Files.newDirectoryStream(ROOT.resolve("tools"), "*.sh")) {
      for (Path tool : tools) {
        Files.copy(tool, folder.resolve("tools").resolve(tool.getFileName()));
      }
    }
    return new ScriptedProject(folder);
  }

  /** A path in the project. */
  Path resolve(String path) {
    return folder.resolve(path);
  }

  /** Starts the build as the leader of a group of its own, with this script in Maven's place. */
  Process start(String maven) throws IOException {
    return start(maven, "setsid", "sh", "build");
  }

  /** Starts a command, with this script in Maven's place. */
  Process start(String maven, String... command) throws IOException {
    return startWith(maven, "exit 0", command);
  }

  /** Starts the build with these scripts in the place of Maven and of its check of the format. */
  Process startWith(String maven, String formatCheck) throws IOException {
    return startWith(maven, formatCheck, "setsid", "sh", "build");
  }

  private Process startWith(String maven, String formatCheck, String... command)
      throws IOException {
    Path wrapper = folder.resolve("mvnw");
    Files.writeString(
        wrapper,
        "#!/bin/sh\ncd \"$(dirname \"$0\")\"\ncase \"$*\" in *spotless*) "
            + formatCheck
            + " ;; esac\n"
            + maven);
    assertThat(wrapper.toFile().setExecutable(true)).isTrue();
    ProcessBuilder build = new ProcessBuilder(command);
    build.directory(folder.toFile()).redirectErrorStream(true);
    build.environment().put("TERRACE_JAVA_HOME", System.getProperty("java.home"));
    return build.start();
  }

  /** All that a build prints until it ends. */
  static String outputOf(Process build) throws IOException {
    return new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
