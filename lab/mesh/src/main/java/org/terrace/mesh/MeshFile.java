package org.terrace.mesh;

import static org.terrace.mesh.JsonFields.number;
import static org.terrace.mesh.JsonFields.numbers;
import static org.terrace.mesh.JsonFields.required;
import static org.terrace.mesh.JsonFields.text;
import static org.terrace.mesh.JsonFields.texts;
import static org.terrace.mesh.JsonFields.toLongs;
import static org.terrace.mesh.JsonFields.whole;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.ResultFolder;
import org.terrace.experiment.SharedTurn;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.search.SearchRound;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Results of a mesh as JSON, format {@value Mesh#FORMAT}, described by a JSON Schema. A reader
 * passes over fields that it does not know. Stateless and thread-safe.
 */
public final class MeshFile {
  /** The name of the file in the directory of a mesh. */
  public static final String NAME = "mesh.json";

  /** The name of the file in the folder of a trial that holds the trial alone. */
  static final String ROW = "mesh-trial.json";

  private static final String ROUND = "round";
  private static final String ROUND_OVER = "roundOver";
  private static final String REASON = "reason";
  private static final String FAILED_CONDITIONS = "failedConditions";
  private static final String EARLIER = "earlierAttempts";
  private static final String INTERVALS = "intervals";
  private static final String SHARED = "sharedServers";

  /** Shares are written to a tenth of a per mille, which is finer than they are measured. */
  private static final double SHARE_STEPS = 10_000;

  private static final JsonMapper JSON = JsonMapper.shared();

  private MeshFile() {}

  /** Writes a mesh to a file, which appears whole or not at all. */
  public static void write(Path file, Mesh mesh) {
    write(file, new MeshResults(mesh, SearchRound.FIRST, Optional.empty()), Map.of());
  }

  /**
   * @param reasons why trials do not count, by their keys
   */
  static void write(Path file, MeshResults results, Map<String, String> reasons) {
    ResultFolder.write(file, toJson(results, reasons));
  }

  /** A mesh as JSON text, a line for each trial. */
  public static String toJson(MeshResults results) {
    return toJson(results, Map.of());
  }

  private static String toJson(MeshResults results, Map<String, String> reasons) {
    Mesh mesh = results.mesh();
    ObjectNode machine = JSON.createObjectNode();
    mesh.machine().forEach(machine::put);
    StringBuilder text =
        new StringBuilder("{\"format\":\"")
            .append(Mesh.FORMAT)
            .append("\",\n\"name\":")
            .append(JSON.writeValueAsString(mesh.name()))
            .append(",\n\"machine\":")
            .append(machine)
            .append(",\n\"round\":")
            .append(results.round().number())
            .append(",\n\"" + ROUND_OVER + "\":")
            .append(results.over());
    results
        .answer()
        .ifPresent(answer -> text.append(",\n\"search\":").append(AnswerJson.node(answer)));
    if (!results.failedConditions().isEmpty()) {
      text.append(",\n\"" + FAILED_CONDITIONS + "\":")
          .append(JSON.writeValueAsString(results.failedConditions()));
    }
    text.append(",\n\"trials\":[");
    String separator = "\n";
    for (MeshTrial trial : mesh.trials()) {
      text.append(separator).append(node(trial, reasons.getOrDefault(trial.key(), "")));
      separator = ",\n";
    }
    return text.append("\n]}\n").toString();
  }

  /** Writes the end of a trial into its folder. */
  static void writeRow(Path folder, TrialRow row) {
    ObjectNode node = node(row.trial(), row.reason());
    ArrayNode reasons = node.putArray("reasons");
    row.reasons().forEach(reasons::add);
    node.put("wallSeconds", row.wallSeconds()).put(ROUND, row.round());
    row.shared()
        .ifPresent(turn ->
            node.putObject(SHARED)
                .put("turn", turn.number())
                .put("rowsAtStart", turn.rowsAtStart())
                .put("rowsBefore", turn.rowsBefore())
                .put("rowsWritten", turn.rowsWritten()));
    ResultFolder.write(folder.resolve(ROW), node + "\n");
  }

  private static ObjectNode node(MeshTrial trial, String reason) {
    ObjectNode node = JSON.createObjectNode();
    node.put("key", trial.key());
    node.put("status", trial.status().name().toLowerCase(Locale.ROOT));
    String why = reason.isEmpty() ? trial.failure() : reason;
    if (!why.isEmpty()) {
      node.put(REASON, why);
    }
    if (!trial.earlier().isEmpty()) {
      node.put("attempts", trial.attempts());
      ArrayNode earlier = node.putArray(EARLIER);
      trial.earlier().forEach(earlier::add);
    }
    AnswerJson.put(node.putObject("configuration"), trial.configuration());
    node.put("users", trial.users());
    node.put("repeat", trial.repeat());
    node.put("seconds", trial.seconds());
    node.put("throughputPerSecond", trial.throughputPerSecond());
    ArrayNode classes = node.putArray("classes");
    for (ClassOutcome outcome : trial.classes()) {
      ObjectNode each = classes.addObject().put("name", outcome.name());
      each.put("count", outcome.count()).put("errors", outcome.errors());
      ObjectNode latency = each.putObject("latencyMicros");
      ArrayNode boundaries = latency.putArray("boundaries");
      for (double boundary : outcome.latency().boundaryMicros()) {
        add(boundaries, boundary);
      }
      ArrayNode counts = latency.putArray("counts");
      for (long count : outcome.latency().counts()) {
        counts.add(count);
      }
    }
    ArrayNode utilisation = node.putArray("utilisation");
    for (Utilisation series : trial.utilisation()) {
      ObjectNode each = utilisation.addObject().put("node", series.node());
      each.put("tier", series.tier()).put("resource", series.resource());
      each.put("secondsPerSample", series.secondsPerSample());
      int[] slots = series.slots();
      if (slots.length > 0 && slots[slots.length - 1] >= slots.length) {
        ArrayNode intervals = each.putArray(INTERVALS);
        Arrays.stream(slots).forEach(intervals::add);
      }
      ArrayNode values = each.putArray("values");
      for (double value : series.values()) {
        add(values, Math.round(value * SHARE_STEPS) / SHARE_STEPS);
      }
    }
    return node.put("folder", trial.folder());
  }

  /** Adds a number, without a fraction where it has none. */
  private static void add(ArrayNode array, double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
      array.add((long) value);
    } else {
      array.add(value);
    }
  }

  /**
   * The mesh in a file.
   *
   * @throws TerraceException if it cannot be read, or is no mesh
   */
  public static Mesh read(Path file) {
    return readResults(file).mesh();
  }

  /**
   * The mesh in a file, with the answer to what was asked of it.
   *
   * @throws TerraceException if it cannot be read, or is no mesh
   */
  public static MeshResults readResults(Path file) {
    try {
      return results(file);
    } catch (TerraceException e) {
      throw new TerraceException(
          e.code(), e.getMessage() + ". Name a file that terrace run has written for a mesh.", e);
    }
  }

  /** The same for a file that nobody has named. */
  static MeshResults results(Path file) {
    try {
      JsonNode root = JSON.readTree(Files.readString(file));
      if (!Mesh.FORMAT.equals(root.path("format").asString(""))) {
        throw unreadable(file, "its format is not " + Mesh.FORMAT, null);
      }
      List<MeshTrial> trials = new ArrayList<>();
      for (JsonNode trial : required(root, "trials")) {
        trials.add(trial(trial));
      }
      JsonNode search = root.path("search");
      List<String> failedConditions = new ArrayList<>();
      root.path(FAILED_CONDITIONS).forEach(each -> failedConditions.add(each.asString()));
      MeshResults told =
          new MeshResults(
              new Mesh(text(root, "name"), texts(root.path("machine")), trials),
              new SearchRound(root.path(ROUND).asInt(1)),
              search.isObject() ? Optional.of(AnswerJson.read(search)) : Optional.empty());
      return new MeshResults(
          told.mesh(),
          told.round(),
          told.answer(),
          root.path(ROUND_OVER).asBoolean(told.over()),
          failedConditions);
    } catch (IOException e) {
      throw unreadable(file, "it cannot be read (" + e + ")", e);
    } catch (JacksonException | IllegalArgumentException | ArithmeticException e) {
      throw unreadable(file, "it is not as " + Mesh.FORMAT + " has it: " + e.getMessage(), e);
    }
  }

  /**
   * The end of a trial in its folder.
   *
   * @throws TerraceException if it cannot be read, or is none
   */
  static TrialRow readRow(Path folder) {
    Path file = folder.resolve(ROW);
    try {
      JsonNode node = JSON.readTree(Files.readString(file));
      List<String> reasons = new ArrayList<>();
      node.path("reasons").forEach(reason -> reasons.add(reason.asString()));
      return new TrialRow(
          trial(node),
          reasons,
          node.path("wallSeconds").asDouble(0),
          node.path(ROUND).asInt(1),
          shared(node.path(SHARED)));
    } catch (IOException e) {
      throw unreadable(file, "it cannot be read (" + e + ")", e);
    } catch (JacksonException | IllegalArgumentException | ArithmeticException e) {
      throw unreadable(file, "it is not the row of a trial: " + e.getMessage(), e);
    }
  }

  private static Optional<SharedTurn> shared(JsonNode node) {
    return node.isObject()
        ? Optional.of(
            new SharedTurn(
                Math.toIntExact(whole(node, "turn")),
                whole(node, "rowsAtStart"),
                whole(node, "rowsBefore"),
                whole(node, "rowsWritten")))
        : Optional.empty();
  }

  private static MeshTrial trial(JsonNode node) {
    List<ClassOutcome> classes = new ArrayList<>();
    for (JsonNode each : required(node, "classes")) {
      JsonNode latency = required(each, "latencyMicros");
      classes.add(
          new ClassOutcome(
              text(each, "name"),
              whole(each, "count"),
              whole(each, "errors"),
              LatencyHistogram.of(
                  numbers(latency, "boundaries"), toLongs(numbers(latency, "counts")))));
    }
    List<Utilisation> utilisation = new ArrayList<>();
    for (JsonNode each : required(node, "utilisation")) {
      double[] values = numbers(each, "values");
      utilisation.add(
          Utilisation.of(
              text(each, "node"),
              text(each, "tier"),
              text(each, "resource"),
              number(each, "secondsPerSample"),
              each.has(INTERVALS)
                  ? Arrays.stream(toLongs(numbers(each, INTERVALS)))
                      .mapToInt(Math::toIntExact)
                      .toArray()
                  : IntStream.range(0, values.length).toArray(),
              values));
    }
    List<String> earlier = new ArrayList<>();
    node.path(EARLIER).forEach(reason -> earlier.add(reason.asString()));
    Status status = Status.valueOf(text(node, "status").toUpperCase(Locale.ROOT));
    return new MeshTrial(
        text(node, "key"),
        status,
        AnswerJson.configuration(required(node, "configuration")),
        Math.toIntExact(whole(node, "users")),
        Math.toIntExact(whole(node, "repeat")),
        number(node, "seconds"),
        classes,
        number(node, "throughputPerSecond"),
        utilisation,
        text(node, "folder"),
        earlier,
        status == Status.FAILED ? node.path(REASON).asString("") : "");
  }

  private static TerraceException unreadable(Path file, String why, @Nullable Exception cause) {
    return new TerraceException(ErrorCode.BAD_INPUT, file + ": " + why, cause);
  }
}
