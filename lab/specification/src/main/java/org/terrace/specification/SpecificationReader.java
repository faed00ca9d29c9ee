package org.terrace.specification;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;

/**
 * Reader of an {@link Experiment} or another kind of specification from YAML 1.2, which reports
 * everything that is wrong with it at once. The format is described by the JSON Schema in the
 * resource {@value #SCHEMA}; what a schema cannot say, such as a fault that strikes a server
 * outside the topology, is checked here too.
 *
 * <p>Stateless and thread-safe. Files are bounded by {@value #MAXIMUM_BYTES} bytes.
 */
public final class SpecificationReader {
  /** The name of the resource, beside this package, that holds the JSON Schema of the format. */
  public static final String SCHEMA = "/org/terrace/specification/experiment.schema.json";

  /** The largest specification that is read. */
  public static final int MAXIMUM_BYTES = 1 << 20;

  private SpecificationReader() {}

  /**
   * The experiment in a file.
   *
   * @throws SpecificationException if it is wrong, with all that is wrong
   * @throws TerraceException if the file cannot be read
   */
  public static Experiment read(Path file) {
    return read(file.toString(), text(file));
  }

  /** The text of a specification file, for keeping it beside the results. */
  public static String text(Path file) {
    try {
      if (!Files.exists(file)) {
        throw unreadable(file + ": there is no such file; expected a specification in YAML", null);
      }
      if (!Files.isRegularFile(file)) {
        throw unreadable(file + " is not a file; expected a specification in YAML", null);
      }
      if (Files.size(file) > MAXIMUM_BYTES) {
        String size = file + " has " + Files.size(file) + " bytes";
        throw unreadable(size + "; a specification has at most " + MAXIMUM_BYTES, null);
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw unreadable(file + " is not text in UTF-8; expected a specification in YAML", e);
    } catch (IOException e) {
      throw unreadable(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * The experiment in a text.
   *
   * @param name how messages call the text, usually its file
   * @throws SpecificationException if it is wrong, with all that is wrong
   */
  public static Experiment read(String name, String text) {
    return read(name, text, (node, problems) -> new ExperimentReader(problems).read(node));
  }

  /**
   * The mesh in a text: an experiment in many configurations and under many loads.
   *
   * @param name how messages call the text, usually its file
   * @throws SpecificationException if it is wrong, with all that is wrong
   */
  public static MeshSpecification readMesh(String name, String text) {
    return read(name, text, (node, problems) -> new MeshReader(problems).read(node));
  }

  /**
   * The kind that a text says it is, for example {@code Study}; none when it says none, which the
   * reader of the kind that was hoped for then reports.
   */
  public static Optional<String> kind(String name, String text) {
    Problems problems = new Problems(name);
    return compose(text, problems)
        .flatMap(node -> Fields.of(node, "the specification", problems))
        .flatMap(fields -> fields.node("kind"))
        .flatMap(kind ->
            kind instanceof ScalarNode word ? Optional.of(word.getValue()) : Optional.empty());
  }

  /** Whether a text has a field; one that is no specification has none. */
  static boolean has(String name, String text, String key) {
    Problems problems = new Problems(name);
    return compose(text, problems)
        .flatMap(node -> Fields.of(node, "the specification", problems))
        .filter(fields -> fields.has(key))
        .isPresent();
  }

  /**
   * The specification that a reader of another kind makes of a text.
   *
   * @param name how messages call the text, usually its file
   * @param reader reads the fields, adds each problem, and gives nothing if it found one
   * @throws SpecificationException if it is wrong, with all that is wrong
   */
  public static <T> T read(
      String name, String text, BiFunction<Node, Problems, Optional<T>> reader) {
    Problems problems = new Problems(name);
    Optional<Node> root = compose(text, problems);
    problems.throwIfAny();
    Optional<T> value = root.flatMap(node -> reader.apply(node, problems));
    problems.throwIfAny();
    return value.orElseThrow(() -> new IllegalStateException("no specification, no problem"));
  }

  private static Optional<Node> compose(String text, Problems problems) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(MAXIMUM_BYTES).build();
    try {
      Iterator<Node> documents =
          new Composer(settings, new ParserImpl(settings, new StreamReader(settings, text)));
      if (!documents.hasNext()) {
        problems.add(Optional.empty(), "the file is empty, expected 'kind: Experiment' and so on");
        return Optional.empty();
      }
      Node first = documents.next();
      if (documents.hasNext()) {
        problems.add(documents.next(), "a second document begins here, expected only one");
      }
      return Optional.of(first);
    } catch (MarkedYamlEngineException e) {
      problems.add(e.getProblemMark(), "this is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      problems.add(Optional.empty(), "this is not YAML: " + e.getMessage());
    }
    return Optional.empty();
  }

  private static TerraceException unreadable(String message, @Nullable Throwable cause) {
    return new TerraceException(ErrorCode.BAD_INPUT, message, cause);
  }
}
