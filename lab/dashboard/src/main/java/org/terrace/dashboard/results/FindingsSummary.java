package org.terrace.dashboard.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.dashboard.results.ResultSummary.KeyFigure;
import org.terrace.report.page.Quantity;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/**
 * The little of a {@code findings.json} that a list of results shows. The file is read as a stream,
 * and what is long in it, the stalls and causes, is passed over. Confined to one thread.
 */
final class FindingsSummary {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final List<String> failures = new ArrayList<>();
  private JsonNode clients = NullNode.getInstance();
  private JsonNode front = NullNode.getInstance();
  private double frontPerSecond;
  private boolean hasStudy;
  private boolean known;
  private long stalls;
  private int servers;
  private int claims;
  private int reproduced;

  private FindingsSummary() {}

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, or is not of the format
   */
  static FindingsSummary read(Path file) throws IOException {
    FindingsSummary summary = new FindingsSummary();
    try (var input = Files.newInputStream(file);
        JsonParser parser = JSON.createParser(input)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          summary.field(name, parser);
        }
      }
    } catch (JacksonException e) {
      throw new IOException("it is not JSON throughout", e);
    }
    if (!summary.known) {
      throw new IOException("it is of another format");
    }
    return summary;
  }

  private void field(String name, JsonParser parser) {
    switch (name) {
      case "format" -> known = parser.getString().equals("terrace-findings/1");
      case "clients" -> clients = parser.readValueAsTree();
      case "study" -> hasStudy = parser.currentToken() != JsonToken.VALUE_NULL;
      case "servers" -> servers(parser);
      case "claims" -> claims(parser.readValueAsTree());
      case "validity" -> failed(parser.readValueAsTree(), "check", "passed", false);
      case "thresholds" -> failed(parser.readValueAsTree(), "condition", "failed", true);
      default -> {}
    }
    parser.skipChildren();
  }

  private void failed(JsonNode checks, String name, String flag, boolean failing) {
    for (JsonNode check : checks) {
      if (check.path(flag).asBoolean(!failing) == failing) {
        failures.add(check.path(name).asString("?"));
      }
    }
  }

  private void claims(JsonNode all) {
    for (JsonNode claim : all) {
      claims++;
      reproduced += claim.path("verdict").asString("").equals("reproduced") ? 1 : 0;
    }
  }

  private void servers(JsonParser parser) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      servers++;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        if (name.equals("stalls") && parser.currentToken() == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            stalls++;
            parser.skipChildren();
          }
        } else if (servers == 1 && name.equals("residenceMicros")) {
          front = parser.readValueAsTree();
        } else if (servers == 1 && name.equals("requestsPerSecond")) {
          frontPerSecond = parser.getDoubleValue();
        } else {
          parser.skipChildren();
        }
      }
    }
  }

  boolean hasStudy() {
    return hasStudy;
  }

  /** The checks and conditions that failed; empty if the result is good. */
  List<String> failures() {
    return failures;
  }

  List<KeyFigure> figures() {
    List<KeyFigure> figures = new ArrayList<>();
    if (hasStudy) {
      figures.add(new KeyFigure("claims reproduced", reproduced + " of " + claims));
    }
    if (!clients.isNull()) {
      latency(clients.path("latencyMicros"), figures);
      double errors = clients.path("errors").asDouble(0);
      double share = errors / Math.max(1, clients.path("requests").asDouble(0));
      figures.add(new KeyFigure("errors", Quantity.percent(share)));
    } else if (!front.isNull()) {
      latency(front, figures);
      figures.add(new KeyFigure("requests", Quantity.number(frontPerSecond) + "/s"));
    }
    if (servers > 0) {
      figures.add(new KeyFigure("stalls", Quantity.count(stalls)));
    }
    return figures;
  }

  private static void latency(JsonNode micros, List<KeyFigure> figures) {
    // Without an answer all of them are zero.
    boolean isMeasured = micros.path("max").asDouble(0) > 0;
    for (String name : List.of("p50", "p99")) {
      String value = isMeasured ? Quantity.micros(micros.path(name).asDouble(0)) : "–";
      figures.add(new KeyFigure(name, value));
    }
  }
}
