package org.terrace.load;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes and reads the two files of a {@link LoadResult}. */
final class LoadResultFiles {
  private static final String FORMAT = "terrace-load/1";
  private static final int ROWS_AT_ONCE = 1024;

  private LoadResultFiles() {}

  /** Writes everything but the requests; the {@link RequestLog} has written those. */
  static void writeSummary(LoadResult result, List<String> states, long rows) {
    ObjectNode json = JsonFiles.object();
    json.put("format", FORMAT);
    json.put("rows", rows);
    json.set("plan", LoadPlanJson.toJson(result.plan()));
    ArrayNode names = json.putArray("states");
    states.forEach(names::add);
    ArrayNode phases = json.putArray("phases");
    for (Event phase : result.phases()) {
      phases
          .addObject()
          .put("kind", phase.kind())
          .put("startNanos", phase.startNanos())
          .put("endNanos", phase.endNanos())
          .set("attributes", JsonFiles.MAPPER.valueToTree(phase.attributes()));
    }
    ArrayNode validity = json.putArray("validity");
    for (LoadCheck check : result.validity()) {
      validity
          .addObject()
          .put("check", check.name())
          .put("passed", check.passed())
          .put("detail", check.detail());
    }
    json.set("generator", JsonFiles.MAPPER.valueToTree(result.generator()));
    ObjectNode failures = json.putObject("failures");
    for (Failure failure : Failure.values()) {
      Long count = result.failures().get(failure);
      if (count != null) {
        failures.put(failure.label(), count);
      }
    }
    JsonFiles.write(result.plan().output().resolve(LoadResult.SUMMARY_FILE), json);
  }

  static LoadResult read(Path directory) {
    Path summary = directory.resolve(LoadResult.SUMMARY_FILE);
    JsonNode json = JsonFiles.read(summary);
    try {
      if (!FORMAT.equals(json.path("format").asString())) {
        throw LoadPlan.invalid("format", json.path("format"), FORMAT);
      }
      List<String> states = new ArrayList<>();
      json.get("states").forEach(state -> states.add(state.asString()));
      return new LoadResult(
          LoadPlanJson.fromJson(json.get("plan")),
          readRequests(
              directory.resolve(LoadResult.REQUESTS_FILE), states, json.get("rows").asLong()),
          phases(json),
          validity(json),
          JsonFiles.MAPPER.treeToValue(json.get("generator"), GeneratorFacts.class),
          failures(json));
    } catch (TerraceException | JacksonException | NullPointerException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, summary + ": is not a result of load: " + e.getMessage(), e);
    }
  }

  private static List<Event> phases(JsonNode json) {
    List<Event> phases = new ArrayList<>();
    for (JsonNode phase : json.get("phases")) {
      Map<String, String> attributes = new HashMap<>();
      phase
          .path("attributes")
          .forEachEntry((name, value) -> attributes.put(name, value.asString()));
      phases.add(
          new Event(
              Server.CLIENTS,
              phase.get("kind").asString(),
              phase.get("startNanos").asLong(),
              phase.get("endNanos").asLong(),
              attributes));
    }
    return phases;
  }

  private static List<LoadCheck> validity(JsonNode json) {
    List<LoadCheck> validity = new ArrayList<>();
    for (JsonNode check : json.get("validity")) {
      validity.add(
          new LoadCheck(
              check.get("check").asString(),
              check.get("passed").asBoolean(),
              check.get("detail").asString()));
    }
    return validity;
  }

  private static Map<Failure, Long> failures(JsonNode json) {
    Map<Failure, Long> failures = new EnumMap<>(Failure.class);
    for (Failure failure : Failure.values()) {
      JsonNode count = json.get("failures").get(failure.label());
      if (count != null) {
        failures.put(failure, count.asLong());
      }
    }
    return failures;
  }

  private static RequestTable readRequests(Path file, List<String> states, long rows) {
    RequestTable.Builder table = new RequestTable.Builder();
    Failure[] failures = Failure.values();
    byte[] bytes = new byte[ROWS_AT_ONCE * RowFormat.ROW_BYTES];
    List<String> users = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      if (in.readLong() != RowFormat.MAGIC) {
        throw new IOException("it does not begin as a file of requests does");
      }
      for (long left = rows; left > 0; ) {
        int count = (int) Math.min(left, ROWS_AT_ONCE);
        in.readFully(bytes, 0, count * RowFormat.ROW_BYTES);
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count * RowFormat.ROW_BYTES);
        for (int row = 0; row < count; row++) {
          table.accept(request(buffer, states, users, failures));
        }
        left -= count;
      }
    } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, file + ": cannot be read as " + rows + " requests: " + e, e);
    }
    return table.build();
  }

  private static Request request(
      ByteBuffer row, List<String> states, List<String> users, Failure[] failures) {
    long intended = row.getLong();
    long start = row.getLong();
    long end = row.getLong();
    row.getInt(); // lateness: in the generator's figures already
    int user = row.getInt();
    int connection = row.getInt();
    int sent = row.getInt();
    int received = row.getInt();
    int state = row.getShort();
    int failure = row.get();
    while (users.size() <= user) {
      users.add("user-" + users.size());
    }
    return new Request(
        Server.CLIENTS,
        states.get(state),
        users.get(user),
        intended,
        start,
        end,
        sent,
        received,
        failures[failure].outcome(),
        connection);
  }
}
