package org.terrace.cli.history;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The rows of {@code terrace-bench/1} files as points of a history. Stateless. */
final class BenchPoints {
  /** The ending of such a file's name. */
  static final String ENDING = ".json";

  private static final String FORMAT = "terrace-bench/1";

  /** The beginning of the names of the project's own subjects; others are told beside them. */
  private static final String OWN = "terrace";

  private BenchPoints() {}

  /** Adds the rows that were measured; a skipped one is no point. */
  static void addAll(List<History.Item> items, SeriesBuilder series) {
    String machine = "";
    for (History.Item item : items) {
      JsonNode report = read(item.place());
      String found =
          "%d cores, %s".formatted(cores(report), report.path("machine").path("cpu").asString(""));
      if (!machine.isEmpty() && !machine.equals(found)) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "not comparable: %s was measured on %s, those before it on %s. Begin the history with"
                    .formatted(item.place(), found, machine)
                + " the first file of this machine.");
      }
      machine = found;
      String bench = report.path("bench").asString("");
      series.addResult(bench, item.label());
      for (JsonNode row : report.path("rows")) {
        if (row.path("value").isNumber()) {
          add(bench, row, item, series);
        }
      }
    }
  }

  private static void add(String bench, JsonNode row, History.Item item, SeriesBuilder series) {
    String subject = row.path("subject").asString("");
    String level = row.path("level").asString("");
    String name =
        (bench + " " + subject + " " + level).strip() + " " + row.path("metric").asString("");
    String unit = row.path("unit").asString("");
    // What a benchmark does so often a second is its work, whatever it is counted in.
    Optional<Better> better =
        unit.endsWith("/s") ? Optional.of(Better.MORE) : Directions.ofUnit(unit);
    Metric metric =
        new Metric(
            name,
            unit,
            Scale.RATIO,
            better.orElse(Better.LESS),
            0,
            better.isPresent() && subject.startsWith(OWN));
    double value = row.path("value").asDouble();
    series.add(bench, metric, better.isPresent(), item.label(), value, item.place() + ":");
  }

  private static int cores(JsonNode report) {
    return report.path("machine").path("cores").asInt(0);
  }

  private static JsonNode read(Path file) {
    try {
      JsonNode report = JsonMapper.shared().readTree(file.toFile());
      if (report.path("format").asString("").equals(FORMAT)) {
        return report;
      }
      throw wrong(file, "its format is '" + report.path("format").asString("") + "'");
    } catch (JacksonException e) {
      throw wrong(file, "it cannot be read as JSON: " + e.getOriginalMessage());
    }
  }

  private static TerraceException wrong(Path file, String why) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        file
            + ": "
            + why
            + "; expected format "
            + FORMAT
            + ", as terrace bench NAME --json writes");
  }
}
