package org.terrace.cli.kubernetes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.ServerDefaults;
import org.terrace.experiment.Tier;
import org.terrace.nodes.setting.TierProgram;

/** A tier that is a program of the user's own, as pods of the user's own image. Immutable. */
record OwnProgram(
    Experiment experiment,
    Tier tier,
    TierProgram program,
    Names names,
    ContainerCommands commands) {
  private static final String FOLDER = "/terrace/program";

  /** A map of configuration holds at most a mebibyte. */
  private static final long MOST_BYTES = 1L << 20;

  /** Stands before the name of a variable while all other signs are doubled. */
  private static final char MARK = '\u0001';

  /** The pod of its servers, which are told their places as on the lab's own machine. */
  PodPlan pod(String image) {
    List<String> command = program.command().stream().map(OwnProgram::expanded).toList();
    PodPlan pod = new PodPlan(image, PodPlan.USER, command, List.of());
    pod.field(TierProgram.NAME, "metadata.name")
        .field(TierProgram.NUMBER, "metadata.labels['apps.kubernetes.io/pod-index']")
        .field(TierProgram.ADDRESS, "status.podIP")
        .variable(TierProgram.PORT, Integer.toString(experiment.port(tier)))
        .variable(TierProgram.NEXT, next())
        .variable(TierProgram.JAVA, "java");
    if (experiment.hasDatabase()) {
      pod.variable(TierProgram.JDBC_URL, commands.url(1))
          .variable(TierProgram.JDBC_USER, ServerDefaults.DATABASE_USER)
          .secretVariable("TERRACE_JDBC_PASSWORD", names, "database");
    }
    new TreeMap<>(program.environment())
        .forEach((name, value) -> pod.variable(name, expanded(value)));
    if (!program.files().isEmpty()) {
      pod.files(mapName(), FOLDER, keys(), this::isExecutable);
    }
    return pod.ready(probe(), program.ready().within());
  }

  private Map<String, Object> probe() {
    int port = program.ready().port().orElse(experiment.port(tier));
    Optional<String> path = program.ready().path();
    return path.isPresent()
        ? Trees.map("httpGet", Trees.map("path", path.get(), "port", port))
        : Trees.map("tcpSocket", Trees.map("port", port));
  }

  private String next() {
    for (Tier behind : Tier.values()) {
      if (behind.compareTo(tier) > 0 && experiment.topology().count(behind) > 0) {
        return commands.places(behind);
      }
    }
    return "";
  }

  /** Whether it is told where a database is, and asks for it. */
  boolean usesDatabase() {
    List<String> texts = new ArrayList<>(program.command());
    texts.addAll(program.environment().values());
    return texts.stream()
        .flatMap(text -> TierProgram.namesIn(text).stream())
        .anyMatch(TierProgram.OF_DATABASE::contains);
  }

  /** The map of configuration with the program's files; none if it names none. */
  Optional<Map<String, Object>> configuration() {
    if (program.files().isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> data = new LinkedHashMap<>();
    Map<String, String> texts = files();
    keys().forEach((key, path) -> data.put(key, texts.get(path)));
    Map<String, Object> map = names.object("v1", "ConfigMap", mapName(), tier.label());
    map.put("data", data);
    return Optional.of(map);
  }

  private String mapName() {
    return names.tier(tier) + "-files";
  }

  /** The paths of its files by their keys, which have no slash, and each file one of its own. */
  private Map<String, String> keys() {
    Map<String, String> paths = new LinkedHashMap<>();
    for (String path : files().keySet()) {
      String plain = path.replace('/', '_');
      String key = plain;
      for (int number = 2; paths.containsKey(key); number++) {
        key = plain + "-" + number;
      }
      paths.put(key, path);
    }
    return paths;
  }

  private boolean isExecutable(String path) {
    return Files.isExecutable(program.directory().resolve(path));
  }

  /** The texts of its files, by their paths from its directory on. */
  private Map<String, String> files() {
    Path directory = program.directory().toAbsolutePath().normalize();
    Map<String, String> texts = new TreeMap<>();
    long bytes = 0;
    for (Path file : program.files()) {
      Path path = file.toAbsolutePath().normalize();
      if (!path.startsWith(directory)) {
        throw bad(
            "files has %s, which is not below the directory %s: a map of configuration has files below one folder"
                .formatted(file, directory));
      }
      String name = directory.relativize(path).toString();
      if (!name.matches("[A-Za-z0-9._/-]+")) {
        throw bad(
            "files has '%s', expected a name of letters, digits, '.', '_' and '-'".formatted(name));
      }
      String text = text(path);
      bytes += text.length();
      texts.put(name, text);
    }
    if (bytes > MOST_BYTES) {
      throw bad(
          "files have %d bytes, more than the %d of a map of configuration: put them into the image"
              .formatted(bytes, MOST_BYTES));
    }
    return texts;
  }

  private String text(Path file) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw bad(file + " is larger than a map of configuration may be: put it into the image");
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
          .toString();
    } catch (CharacterCodingException e) {
      throw bad(file + " is not text in UTF-8: put it into the image");
    } catch (IOException e) {
      throw bad(file + " cannot be read: " + e);
    }
  }

  private TerraceException bad(String what) {
    return new TerraceException(ErrorCode.BAD_INPUT, "tiers." + tier.label() + ": " + what);
  }

  /** A text in which Kubernetes puts the values of variables, and nothing else. */
  static String expanded(String text) {
    Map<String, String> marks = new HashMap<>();
    TierProgram.VARIABLES.forEach(name -> marks.put(name, MARK + "(" + name + ")"));
    return TierProgram.filled(text, marks).replace("$", "$$").replace(MARK, '$');
  }
}
