package org.terrace.specification;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.load.mix.WeightedRequest;
import org.terrace.nodes.setting.TierProgram;
import org.terrace.nodes.setting.TierProgram.Ready;

/** Reads the user's own programs of tiers. Confined to one thread. */
final class ProgramReader {
  /** The field of a specification that names them. */
  static final String KEY = "tiers";

  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration USUAL = Duration.ofSeconds(60);
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern WORDS = Pattern.compile("[^\\x00]+");
  private static final int LAST_PORT = 65_535;

  private final Problems problems;

  ProgramReader(Problems problems) {
    this.problems = problems;
  }

  /** The parts of an experiment that programs have to agree with. */
  record Parts(
      Topology topology,
      Map<String, TierProgram> programs,
      List<WeightedRequest> requests,
      boolean watchesSessions) {}

  /** The names of the tiers that have a program of their own, before any of it is read. */
  static Set<String> tiers(Fields fields) {
    Set<String> names = new LinkedHashSet<>();
    fields
        .node(KEY)
        .ifPresent(node -> {
          for (Tier tier : Tier.values()) {
            if (NodeTrees.at(node, List.of(tier.label())).isPresent()) {
              names.add(tier.label());
            }
          }
        });
    return names;
  }

  /** The same specification with the directories of its programs named from the root on. */
  Node rooted(Node root) {
    Node rooted = root;
    for (Tier tier : Tier.values()) {
      List<String> program = List.of(KEY, tier.label());
      Optional<Node> node = NodeTrees.at(root, program);
      if (node.isPresent()) {
        List<String> directory = List.of(KEY, tier.label(), "directory");
        Path named =
            NodeTrees.at(root, directory)
                .map(each -> path(NodeTrees.label(each)))
                .orElse(problems.folder());
        rooted = NodeTrees.with(rooted, directory, NodeTrees.scalar(named.toString(), node.get()));
      }
    }
    return rooted;
  }

  /** The programs, by the names of their tiers. */
  Map<String, TierProgram> read(Fields fields) {
    return fields.optional(KEY, this::programs).orElse(Map.of());
  }

  private Optional<Map<String, TierProgram>> programs(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          Map<String, TierProgram> programs = new LinkedHashMap<>();
          for (Tier tier : Tier.values()) {
            fields
                .optional(tier.label(), this::program)
                .ifPresent(program -> programs.put(tier.label(), program));
          }
          fields.finish();
          return programs;
        });
  }

  private Optional<TierProgram> program(Node node, String tier, Problems unused) {
    Optional<Fields> found = Fields.of(node, "the program of " + tier, problems);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = found.get();
    ValueReader<String> word = Values.text(WORDS, "a word that is not empty");
    Optional<List<String>> command =
        fields.required("command", Values.list((at, key, _) -> known(word, at, key)));
    if (command.isPresent() && command.get().isEmpty()) {
      problems.add(
          node, "the command of " + tier + " is empty, expected a program and its arguments");
    }
    Ready ready =
        fields
            .optional("ready", this::ready)
            .orElse(new Ready(Optional.empty(), OptionalInt.empty(), USUAL));
    Path directory =
        fields
            .optional("directory", (at, key, _) -> word.read(at, key, problems).map(this::path))
            .orElse(problems.folder());
    fields
        .node("directory")
        .filter(at -> !Files.isDirectory(directory))
        .ifPresent(
            at -> problems.add(at, "directory names " + directory + ", which is no directory"));
    Map<String, String> environment =
        fields.optional("environment", this::environment).orElse(Map.of());
    List<Path> files =
        fields
            .optional("files", Values.list((at, key, _) -> file(at, key, directory)))
            .orElse(List.of());
    Optional<TierProgram.Metrics> metrics = fields.optional("metrics", MetricsReader::read);
    fields.finish();
    return command
        .filter(words -> !words.isEmpty())
        .map(words -> new TierProgram(words, ready, directory, environment, files, metrics));
  }

  /** A text whose variables are all known. */
  private Optional<String> known(ValueReader<String> reader, Node node, String key) {
    Optional<String> text = reader.read(node, key, problems);
    for (String name : text.map(TierProgram::namesIn).orElse(List.of())) {
      if (!TierProgram.VARIABLES.contains(name)) {
        problems.add(node, Words.unknown("variable", name, key, TierProgram.VARIABLES));
      }
    }
    return text;
  }

  private Optional<Ready> ready(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          Optional<String> path =
              fields.optional("http", Values.text(WeightedRequest.PATH, "a path such as /health"));
          Optional<Long> port = fields.optional("port", Values.integer(1, LAST_PORT));
          Duration within =
              fields.optional("within", Values.duration(SHORTEST, LONGEST)).orElse(USUAL);
          fields.finish();
          return new Ready(
              path,
              port.isPresent() ? OptionalInt.of(port.get().intValue()) : OptionalInt.empty(),
              within);
        });
  }

  private Optional<Map<String, String>> environment(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          for (String name : fields.keys()) {
            if (!VARIABLE.matcher(name).matches() || name.startsWith(TierProgram.PREFIX)) {
              problems.add(
                  fields.keyNode(name),
                  "'%s' in environment, expected a name of letters, digits and '_' that does not begin with %s"
                      .formatted(name, TierProgram.PREFIX));
            }
          }
          return fields.all((value, name, _) -> known(this::text, value, name));
        });
  }

  private Optional<String> text(Node node, String key, Problems unused) {
    if (node instanceof ScalarNode scalar) {
      return Optional.of(scalar.getValue());
    }
    problems.add(node, key + " is " + Words.describe(node) + ", expected a text");
    return Optional.empty();
  }

  private Optional<Path> file(Node node, String key, Path directory) {
    Optional<Path> file =
        Values.text(WORDS, "the name of a file")
            .read(node, key, problems)
            .map(name -> directory.resolve(name).normalize());
    if (file.isPresent() && !Files.isRegularFile(file.get())) {
      problems.add(node, key + " names " + file.get() + ", which is no file");
    }
    return file;
  }

  private Path path(String name) {
    return problems.folder().resolve(name).normalize();
  }

  /**
   * Reports what cannot be together with the programs: the parts of the board that they stand in
   * for, and those that only it has.
   */
  void check(Fields fields, Set<String> tiers, Parts parts) {
    for (String tier : tiers) {
      Tier of = Tier.valueOf(tier.toUpperCase(Locale.ROOT));
      if (parts.topology().count(of) == 0) {
        problems.add(
            fields.keyNode(KEY),
            "tiers has a program for %s, of which topology %s has no server"
                .formatted(tier, parts.topology()));
      }
    }
    boolean board = !tiers.contains(Tier.APP.label());
    if (board) {
      for (Tier tier : List.of(Tier.MIDDLEWARE, Tier.DATABASE)) {
        if (tiers.contains(tier.label())) {
          problems.add(
              fields.keyNode(KEY),
              "tiers has a program for %s, but the application is the board, which needs Terrace's own: add a program for app"
                  .formatted(tier.label()));
        }
      }
    }
    List<String> boards = new ArrayList<>();
    if (!board) {
      boards.addAll(List.of("application", "data", "replication", "scheduler"));
    }
    if (tiers.contains(Tier.WEB.label())) {
      boards.add("web");
    }
    if (tiers.contains(Tier.DATABASE.label())) {
      boards.add("database");
    }
    for (String key : boards) {
      if (fields.has(key)) {
        problems.add(
            fields.keyNode(key),
            "'%s' is of Terrace's own servers, which a program in tiers stands in for: leave one of them out"
                .formatted(key));
      }
    }
    if (!board && parts.requests().isEmpty()) {
      fields
          .node("load")
          .ifPresent(load ->
              problems.add(
                  load,
                  "load lacks a mix of requests for the program of app, such as mix: [{path: /, weight: 1}];"
                      + " the mixes read-write and browse-only are the board's"));
    }
    if (!board && parts.watchesSessions()) {
      problems.add(
          fields.keyNode("observe"),
          "observe.sessions watches the board's sessions, but the application is a program of its own");
    }
    requireDatabase(fields, tiers, parts);
  }

  private void requireDatabase(Fields fields, Set<String> tiers, Parts parts) {
    boolean has = parts.topology().database() > 0 && !tiers.contains(Tier.DATABASE.label());
    if (has) {
      return;
    }
    parts
        .programs()
        .forEach((tier, program) -> {
          List<String> texts = new ArrayList<>(program.command());
          texts.addAll(program.environment().values());
          texts.stream()
              .flatMap(text -> TierProgram.namesIn(text).stream())
              .filter(TierProgram.OF_DATABASE::contains)
              .distinct()
              .forEach(name ->
                  problems.add(
                      fields.keyNode(KEY),
                      "the program of %s uses $%s, but topology %s has no database of Terrace's"
                          .formatted(tier, name, parts.topology())));
        });
  }
}
