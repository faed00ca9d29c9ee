package org.terrace.nodes.setting;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;

/** The nodes of a trial that are programs of the user's own. Stateless and thread-safe. */
public final class ProgramNode {
  private ProgramNode() {}

  /**
   * The node of a server, all of whose processes belong to it.
   *
   * @param here whether it runs on this machine, whose PATH then finds it; another host has its own
   * @param variables the values of {@link TierProgram#VARIABLES}, without those that there are not
   */
  public static NodeSpecification of(
      String name,
      TierProgram program,
      boolean here,
      Map<String, String> variables,
      String address,
      int port) {
    List<String> command =
        program.command().stream()
            .map(word -> TierProgram.filled(word, variables))
            .collect(Collectors.toCollection(ArrayList::new));
    if (here) {
      find(command.getFirst(), path()).ifPresent(file -> command.set(0, file.toString()));
    }
    Map<String, String> environment = new HashMap<>();
    program
        .environment()
        .forEach((key, value) -> environment.put(key, TierProgram.filled(value, variables)));
    environment.putAll(variables);
    int asked = program.ready().port().orElse(port);
    Readiness readiness =
        program.ready().path().isPresent()
            ? new Readiness.Http(address, asked, program.ready().path().get())
            : new Readiness.Port(address, asked);
    return NodeSpecification.of(name, command, readiness, program.ready().within())
        .within(program.directory(), environment)
        .forking(Signal.TERM);
  }

  /**
   * Checks that the program of a tier is there, before anything starts.
   *
   * @throws TerraceException if its first word names no file that may be executed
   */
  public static void requireThere(String tier, TierProgram program) {
    String word = program.command().getFirst();
    if (word.contains("$")) {
      return;
    }
    if (word.contains("/")) {
      Path file = program.directory().resolve(word);
      if (!Files.isExecutable(file) || Files.isDirectory(file)) {
        throw lacking(tier, word, "is no file that may be executed: " + file);
      }
      return;
    }
    String path = path();
    if (find(word, path).isEmpty()) {
      throw lacking(tier, word, "is not on the PATH, which is " + path);
    }
  }

  /** The folders of programs: those of the PATH, and then those of the Java that runs this. */
  private static String path() {
    return System.getenv().getOrDefault("PATH", "")
        + File.pathSeparator
        + Path.of(System.getProperty("java.home"), "bin");
  }

  /** The first file of that name that may be executed in the folders; none for a path. */
  static Optional<Path> find(String word, String path) {
    return Arrays.stream(path.split(File.pathSeparator))
        .filter(folder -> !word.contains("/"))
        .map(folder -> Path.of(folder, word))
        .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
        .findFirst();
  }

  private static TerraceException lacking(String tier, String word, String why) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "the program '%s' of the tier %s %s; install it, or name it in tiers.%s.command by its path"
            .formatted(word, tier, why, tier));
  }
}
