package org.terrace.collections;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

/**
 * The classes of a replica's process as they were when the protocol had an earlier version,
 * compiled from the history of this repository. Stateless.
 */
final class OldBuild {
  private static final Path ROOT =
      Path.of(System.getProperty("terrace.root", "../..")).toAbsolutePath().normalize();
  private static final String GROUP = "runtime/groups/src/main/java/org/terrace/groups/Group.java";
  private static final String TESTS = "runtime/collections/src/test/java";
  private static final List<String> SOURCES =
      List.of(
          "core/src/main/java",
          "testing/src/main/java",
          "runtime/groups/src/main/java",
          "runtime/collections-structures/src/main/java",
          "runtime/collections/src/main/java",
          TESTS);

  private OldBuild() {}

  /**
   * Compiles the last commit that changed the version's file while it had that version; nothing if
   * no such commit is here, as in a copy without history.
   */
  static Optional<RealProcess.Build> of(int version, Path folder)
      throws IOException, InterruptedException {
    Optional<String> commit = commitOf(version, folder);
    if (commit.isEmpty()) {
      return Optional.empty();
    }
    Path archive = folder.resolve("old.tar");
    List<String> words =
        new ArrayList<>(List.of("archive", "-o", archive.toString(), commit.get(), "--"));
    words.addAll(SOURCES);
    words.add(":(exclude)*module-info.java");
    Path sources = Files.createDirectory(folder.resolve("old"));
    Path classes = Files.createDirectory(folder.resolve("classes"));
    if (run(folder, git(words)).isEmpty()
        || run(folder, List.of("tar", "xf", archive.toString(), "-C", sources.toString()))
            .isEmpty()) {
      return Optional.empty();
    }
    String path =
        SOURCES.stream()
            .map(part -> sources.resolve(part).toString())
            .collect(Collectors.joining(File.pathSeparator));
    String libraries = libraries();
    List<String> compile =
        List.of(
            JavaCommand.program().resolveSibling("javac").toString(),
            "-J-XX:+UseSerialGC",
            "-J-XX:TieredStopAtLevel=1",
            "-proc:none",
            "-nowarn",
            "-implicit:class",
            "-sourcepath",
            path,
            "-cp",
            libraries,
            "-d",
            classes.toString(),
            sources.resolve(TESTS).resolve("org/terrace/collections/RealReplica.java").toString());
    if (run(folder, compile).isEmpty()) {
      throw new IllegalStateException(
          "the sources of version %d, commit %s, do not compile: %s"
              .formatted(version, commit.get(), Files.readString(folder.resolve("errors"))));
    }
    return Optional.of(new RealProcess.Build(classes + File.pathSeparator + libraries, List.of()));
  }

  private static Optional<String> commitOf(int version, Path folder)
      throws IOException, InterruptedException {
    Optional<String> commits =
        run(folder, git(List.of("log", "--format=%H", "--full-history", "HEAD", "--", GROUP)));
    for (String commit : commits.orElse("").lines().toList()) {
      Optional<String> text = run(folder, git(List.of("show", commit + ":" + GROUP)));
      if (text.orElse("").contains("int PROTOCOL_VERSION = " + version + ";")) {
        return Optional.of(commit);
      }
    }
    return Optional.empty();
  }

  /** The entries of this process's class path that are not of this repository. */
  private static String libraries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !Path.of(entry).toAbsolutePath().startsWith(ROOT))
        .filter(entry -> !entry.contains("terrace-"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static List<String> git(List<String> words) {
    List<String> command = new ArrayList<>(List.of("git", "-C", ROOT.toString()));
    command.addAll(words);
    return command;
  }

  /** Runs a command: its output, or nothing if it fails or there is none. */
  private static Optional<String> run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve("errors").toFile());
    // A repository around this one, as while a hook of git runs, is not meant.
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    try {
      Process process = Keeper.ofThisProcess().start(builder);
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
    } catch (IOException e) {
      Files.writeString(folder.resolve("errors"), Arrays.toString(e.getStackTrace()));
      return Optional.empty(); // there is no such command
    }
  }
}
