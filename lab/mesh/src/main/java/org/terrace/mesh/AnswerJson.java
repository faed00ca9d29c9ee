package org.terrace.mesh;

import static org.terrace.mesh.JsonFields.number;
import static org.terrace.mesh.JsonFields.required;
import static org.terrace.mesh.JsonFields.text;
import static org.terrace.mesh.JsonFields.texts;
import static org.terrace.mesh.JsonFields.whole;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.FoundLoad;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The field {@code search} of the results of a mesh, and configurations. Stateless. */
final class AnswerJson {
  private static final String CONFIGURATION = "configuration";
  private static final String USERS = "users";
  private static final String TRIALS = "trials";
  private static final String LOADS = "loads";
  private static final String UNMEASURED = "unmeasured";
  private static final String FAILED = "failed";
  private static final String FAILING = "failing";

  private AnswerJson() {}

  static ObjectNode node(SearchAnswer answer) {
    ObjectNode node = JsonMapper.shared().createObjectNode();
    node.put("method", answer.method().word());
    node.put("complete", answer.complete());
    node.put(TRIALS, answer.trials()).put("ended", answer.ended()).put(FAILED, answer.failed());
    node.put("saved", answer.saved());
    node.put("currency", answer.currency());
    ArrayNode best = node.putArray("best");
    for (FoundBest found : answer.best()) {
      ObjectNode each = best.addObject().put(USERS, found.users());
      put(each.putObject(CONFIGURATION), found.configuration());
      each.put(TRIALS, found.trials()).put("profitPerHour", found.profitPerHour());
      each.put("low", found.low()).put("high", found.high()).put("tried", found.tried());
      ArrayNode ties = each.putArray("ties");
      found.ties().forEach(tie -> put(ties.addObject(), tie));
      each.put(FAILED, found.failed());
      ArrayNode failing = each.putArray(FAILING);
      found.failing().forEach(other -> put(failing.addObject(), other));
    }
    ArrayNode unmeasured = node.putArray(UNMEASURED);
    answer.unmeasured().forEach(unmeasured::add);
    ArrayNode capacities = node.putArray("capacities");
    for (FoundCapacity found : answer.capacities()) {
      ObjectNode each = capacities.addObject();
      put(each.putObject(CONFIGURATION), found.configuration());
      each.put("costPerHour", found.costPerHour());
      each.put("mostUsers", found.mostUsers()).put("brokenUsers", found.brokenUsers());
      each.put(UNMEASURED, found.unmeasured()).put("certain", found.certain());
      each.put(TRIALS, found.trials());
      ArrayNode loads = each.putArray(LOADS);
      found.loads().forEach(load -> put(loads.addObject(), load));
    }
    ArrayNode cheapest = node.putArray("cheapest");
    for (SearchAnswer.Cheapest stretch : answer.cheapest()) {
      ObjectNode each = cheapest.addObject().put("mostUsers", stretch.mostUsers());
      put(each.putObject(CONFIGURATION), stretch.carrier().configuration());
    }
    return node;
  }

  /** The answer in a field; what follows from the rest is not read. */
  static SearchAnswer read(JsonNode node) {
    List<FoundBest> best = new ArrayList<>();
    for (JsonNode each : required(node, "best")) {
      List<Configuration> ties = new ArrayList<>();
      required(each, "ties").forEach(tie -> ties.add(configuration(tie)));
      List<Configuration> failing = new ArrayList<>();
      each.path(FAILING).forEach(other -> failing.add(configuration(other)));
      best.add(
          new FoundBest(
              count(each, USERS),
              configuration(required(each, CONFIGURATION)),
              count(each, TRIALS),
              number(each, "profitPerHour"),
              perhaps(each, "low"),
              perhaps(each, "high"),
              count(each, "tried"),
              ties,
              each.path(FAILED).asInt(0),
              failing));
    }
    List<Integer> unmeasured = new ArrayList<>();
    for (JsonNode users : node.path(UNMEASURED)) {
      unmeasured.add(users.asInt());
    }
    List<FoundCapacity> capacities = new ArrayList<>();
    for (JsonNode each : required(node, "capacities")) {
      capacities.add(
          new FoundCapacity(
              configuration(required(each, CONFIGURATION)),
              number(each, "costPerHour"),
              perhapsCount(each, "mostUsers"),
              perhapsCount(each, "brokenUsers"),
              flag(each, UNMEASURED),
              flag(each, "certain"),
              count(each, TRIALS),
              loads(each)));
    }
    return new SearchAnswer(
        SearchMethod.valueOf(text(node, "method").toUpperCase(Locale.ROOT)),
        flag(node, "complete"),
        count(node, TRIALS),
        count(node, "ended"),
        count(node, FAILED),
        text(node, "currency"),
        best,
        unmeasured,
        capacities);
  }

  private static void put(ObjectNode node, FoundLoad load) {
    node.put(USERS, load.users()).put("verdict", load.verdict().name().toLowerCase(Locale.ROOT));
    node.put(TRIALS, load.trials()).put(FAILED, load.failed()).put("requests", load.requests());
    node.put("share", load.share()).put("low", load.low()).put("high", load.high());
  }

  private static List<FoundLoad> loads(JsonNode node) {
    List<FoundLoad> loads = new ArrayList<>();
    for (JsonNode each : node.path(LOADS)) {
      loads.add(
          new FoundLoad(
              count(each, USERS),
              FoundLoad.Verdict.valueOf(text(each, "verdict").toUpperCase(Locale.ROOT)),
              count(each, TRIALS),
              count(each, FAILED),
              whole(each, "requests"),
              number(each, "share"),
              number(each, "low"),
              number(each, "high")));
    }
    return loads;
  }

  static void put(ObjectNode node, Configuration configuration) {
    node.put("topology", configuration.topology());
    node.put("database", configuration.database());
    configuration.nodeTypes().forEach(node.putObject("nodeTypes")::put);
    configuration.variations().forEach(node.putObject("variations")::put);
  }

  static Configuration configuration(JsonNode node) {
    return new Configuration(
        text(node, "topology"),
        text(node, "database"),
        texts(node.path("nodeTypes")),
        texts(node.path("variations")));
  }

  private static int count(JsonNode node, String name) {
    return Math.toIntExact(whole(node, name));
  }

  private static boolean flag(JsonNode node, String name) {
    JsonNode value = required(node, name);
    if (!value.isBoolean()) {
      throw new IllegalArgumentException("'" + name + "' is " + value + ", expected true or false");
    }
    return value.asBoolean();
  }

  private static @Nullable Double perhaps(JsonNode node, String name) {
    return node.path(name).isNumber() ? Double.valueOf(number(node, name)) : null;
  }

  private static @Nullable Integer perhapsCount(JsonNode node, String name) {
    return node.path(name).isNumber() ? Integer.valueOf(count(node, name)) : null;
  }
}
