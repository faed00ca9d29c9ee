package org.terrace.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ShortCommand;
import org.terrace.hosts.SshHost;
import org.terrace.hosts.Target;

/**
 * A host as a short script finds it, to which nothing is brought. Immutable.
 *
 * @param machine the machine in words: its processors, memory, kernel and Java; empty for this
 *     machine, which {@link org.terrace.nodes.machine.MachineFacts} describes
 * @param programs the digests of the programs of servers that are installed there, by their names
 *     in a specification; those of Terrace's own libraries are not among them
 * @param files the files there that these digests are of
 * @param javaOptions the digest of the options that its environment gives to each Java; empty where
 *     it gives none
 */
record ProbedHost(
    String machine,
    Map<String, String> programs,
    Map<String, List<Path>> files,
    String javaOptions) {
  /** The name of Apache's httpd; databases have the names that a specification gives them. */
  static final String APACHE = "apache";

  private static final Pattern FACT =
      Pattern.compile(
          "^terrace-(cores|memory|cpu|kernel|java|options|program \\S+|file \\S+) (.*)$");
  private static final Duration WITHIN = Duration.ofSeconds(60);

  ProbedHost {
    programs = Map.copyOf(programs);
    files = Map.copyOf(files);
  }

  /**
   * This machine.
   *
   * @param environment variables beside those of this process, or in their place
   * @param system the root of what the system has installed, {@code /} but in tests
   */
  static ProbedHost ofThisMachine(Map<String, String> environment, Path system) {
    String root = system.equals(Path.of("/")) ? "" : system.toString();
    ShortCommand.Result result;
    try {
      result =
          ShortCommand.of("sh")
              .withInput(script("no", root, ""))
              .withEnvironment(environment)
              .withWithin(WITHIN)
              .run();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "the programs of servers cannot be read: " + e.getMessage(), e);
    }
    if (!result.isSuccess()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the programs of servers cannot be read: " + result.failure() + ": " + result.output());
    }
    return parsed(result.output());
  }

  /**
   * A host that {@code ssh} leads to.
   *
   * @throws TerraceException if it cannot be reached
   */
  static ProbedHost of(Target.Ssh target, SshHost host) {
    return parsed(target.answer(host, script("yes", "", host.java())));
  }

  private static ProbedHost parsed(String said) {
    Map<String, String> facts = new TreeMap<>();
    Map<String, String> programs = new TreeMap<>();
    Map<String, List<Path>> files = new TreeMap<>();
    said.lines()
        .forEach(line -> {
          Matcher matcher = FACT.matcher(line);
          if (matcher.matches()) {
            String[] words = matcher.group(1).split(" ", 2);
            if (words[0].equals("file")) {
              files
                  .computeIfAbsent(words[1], _ -> new ArrayList<>())
                  .add(Path.of(matcher.group(2)));
            } else if (words.length == 2) {
              programs.put(words[1], matcher.group(2));
            } else {
              facts.put(words[0], matcher.group(2).strip());
            }
          }
        });
    String machine =
        !facts.containsKey("cores")
            ? ""
            : "%s cores, %s, %s, kernel %s, Java %s"
                .formatted(
                    facts.getOrDefault("cores", "?"),
                    facts.getOrDefault("memory", "?"),
                    facts.getOrDefault("cpu", "?"),
                    facts.getOrDefault("kernel", "?"),
                    facts.getOrDefault("java", "?"));
    return new ProbedHost(machine, programs, files, facts.getOrDefault("options", ""));
  }

  private static String script(String machine, String system, String java) {
    try (InputStream stream = ProbedHost.class.getResourceAsStream("surroundings.sh")) {
      String body =
          new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
      return "machine=%s\nsystem=%s\njava=%s\n%s"
          .formatted(machine, quoted(system), quoted(java), body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
