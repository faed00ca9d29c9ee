package org.terrace.load;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.load.mix.Spans;
import org.terrace.load.mix.ThinkTime;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of a {@link LoadPlan}. */
final class LoadPlanJson {
  private LoadPlanJson() {}

  static LoadPlan read(Path file) {
    JsonNode json = JsonFiles.read(file);
    try {
      return fromJson(json);
    } catch (TerraceException | IllegalArgumentException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, file + ": " + e.getMessage(), e);
    }
  }

  static void write(LoadPlan plan, Path file) {
    JsonFiles.write(file, toJson(plan));
  }

  static LoadPlan fromJson(JsonNode json) {
    List<URI> targets = new ArrayList<>();
    required(json, "targets").forEach(target -> targets.add(URI.create(target.asString())));
    List<String> sources = new ArrayList<>();
    required(json, "sourceAddresses").forEach(source -> sources.add(source.asString()));
    Map<String, ThinkTime> overrides = new LinkedHashMap<>();
    required(json, "thinkOverrides")
        .properties()
        .forEach(
            entry -> overrides.put(entry.getKey(), ThinkTime.parse(entry.getValue().asString())));
    JsonNode phases = required(json, "phases");
    JsonNode limits = required(json, "limits");
    return new LoadPlan(
        targets,
        model(json),
        ThinkTime.parse(text(json, "think")),
        overrides,
        text(json, "mix"),
        new LoadPlan.Phases(
            Spans.parse(text(phases, "rampUp")),
            Spans.parse(text(phases, "run")),
            Spans.parse(text(phases, "rampDown"))),
        pace(required(json, "pace")),
        required(json, "seed").asLong(),
        sources,
        new LoadPlan.Limits(
            Spans.parse(text(limits, "connect")),
            Spans.parse(text(limits, "response")),
            required(limits, "backlog").asInt()),
        Path.of(text(json, "output")));
  }

  private static LoadPace pace(JsonNode json) {
    List<LoadPace.Burst> bursts = new ArrayList<>();
    for (JsonNode burst : required(json, "bursts")) {
      bursts.add(
          new LoadPace.Burst(
              Spans.parse(text(burst, "at")),
              Spans.parse(text(burst, "for")),
              required(burst, "factor").asDouble(),
              required(burst, "fault").asBoolean()));
    }
    return new LoadPace(required(json, "calm").asDouble(), bursts);
  }

  private static LoadPlan.Model model(JsonNode json) {
    if (json.has("open")) {
      JsonNode open = json.get("open");
      return new LoadPlan.Open(
          required(open, "requestsPerSecond").asDouble(),
          LoadPlan.Spacing.valueOf(text(open, "spacing").toUpperCase(Locale.ROOT)),
          required(open, "users").asInt());
    }
    return new LoadPlan.Closed(required(required(json, "closed"), "users").asInt());
  }

  static ObjectNode toJson(LoadPlan plan) {
    ObjectNode json = JsonFiles.object();
    ArrayNode targets = json.putArray("targets");
    plan.targets().forEach(target -> targets.add(target.toString()));
    switch (plan.model()) {
      case LoadPlan.Closed closed -> json.putObject("closed").put("users", closed.users());
      case LoadPlan.Open open ->
          json.putObject("open")
              .put("requestsPerSecond", open.requestsPerSecond())
              .put("spacing", open.spacing().name().toLowerCase(Locale.ROOT))
              .put("users", open.users());
    }
    json.put("think", plan.think().toString());
    ObjectNode overrides = json.putObject("thinkOverrides");
    plan.thinkOverrides().forEach((state, think) -> overrides.put(state, think.toString()));
    json.put("mix", plan.mix());
    json.putObject("phases")
        .put("rampUp", Spans.format(plan.phases().rampUp()))
        .put("run", Spans.format(plan.phases().run()))
        .put("rampDown", Spans.format(plan.phases().rampDown()));
    ObjectNode pace = json.putObject("pace").put("calm", plan.pace().calm());
    ArrayNode bursts = pace.putArray("bursts");
    for (LoadPace.Burst burst : plan.pace().bursts()) {
      bursts
          .addObject()
          .put("at", Spans.format(burst.at()))
          .put("for", Spans.format(burst.length()))
          .put("factor", burst.factor())
          .put("fault", burst.isFault());
    }
    json.put("seed", plan.seed());
    ArrayNode sources = json.putArray("sourceAddresses");
    plan.sourceAddresses().forEach(sources::add);
    json.putObject("limits")
        .put("connect", Spans.format(plan.limits().connect()))
        .put("response", Spans.format(plan.limits().response()))
        .put("backlog", plan.limits().backlog());
    json.put("output", plan.output().toString());
    return json;
  }

  private static JsonNode required(JsonNode json, String field) {
    JsonNode value = json.get(field);
    if (value == null) {
      throw LoadPlan.invalid(field, "absent", "the field, as LoadPlan.write leaves it");
    }
    return value;
  }

  private static String text(JsonNode json, String field) {
    return required(json, field).asString();
  }
}
