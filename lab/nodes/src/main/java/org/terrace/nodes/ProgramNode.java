package org.terrace.nodes;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.setting.Program;

/** The nodes of a trial that are programs of the user's own. Stateless and thread-safe. */
public final class ProgramNode {
  private static final int ANSWER_WITHIN_MILLIS = 1_000;
  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;

  private ProgramNode() {}

  /**
   * The node of a server, all of whose processes belong to it.
   *
   * @param variables the values of {@link Program#VARIABLES}, without those that there are not
   */
  public static NodeSpecification of(
      String name, Program program, Map<String, String> variables, String address, int port) {
    List<String> command =
        program.command().stream().map(word -> Program.filled(word, variables)).toList();
    Map<String, String> environment = new HashMap<>();
    program
        .environment()
        .forEach((key, value) -> environment.put(key, Program.filled(value, variables)));
    environment.putAll(variables);
    int asked = program.ready().port().orElse(port);
    return NodeSpecification.of(
            name, command, readiness(program, address, asked), program.ready().within())
        .within(program.directory(), environment)
        .forking(Signal.TERM);
  }

  private static Readiness readiness(Program program, String address, int port) {
    String place = address + ":" + port;
    if (program.ready().path().isEmpty()) {
      return new Readiness.Check(
          () -> Node.accepts(new Readiness.Port(address, port)),
          "accept connections at " + place,
          ProgramNode::listening);
    }
    URI health = URI.create("http://" + place + program.ready().path().get());
    return new Readiness.Check(
        () -> answers(health),
        "answer GET " + health + " with a status from 200 to 299",
        ProgramNode::listening);
  }

  private static String listening(List<Long> processes) {
    List<String> places = SocketOwner.listening(processes);
    return places.isEmpty()
        ? " (it listens nowhere)"
        : " (it listens at " + String.join(", ", places) + ")";
  }

  private static boolean answers(URI health) {
    try {
      HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
      try {
        connection.setConnectTimeout(ANSWER_WITHIN_MILLIS);
        connection.setReadTimeout(ANSWER_WITHIN_MILLIS);
        connection.setInstanceFollowRedirects(false);
        int status = connection.getResponseCode();
        return status >= OK && status < MULTIPLE_CHOICES;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Checks that the program of a tier is there, before anything starts.
   *
   * @throws TerraceException if its first word names no file that may be executed
   */
  public static void requireThere(String tier, Program program) {
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
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path file = Path.of(folder, word);
      if (Files.isExecutable(file) && !Files.isDirectory(file)) {
        return;
      }
    }
    throw lacking(tier, word, "is not on the PATH, which is " + path);
  }

  private static TerraceException lacking(String tier, String word, String why) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "the program '%s' of the tier %s %s; install it, or name it in tiers.%s.command by its path"
            .formatted(word, tier, why, tier));
  }
}
