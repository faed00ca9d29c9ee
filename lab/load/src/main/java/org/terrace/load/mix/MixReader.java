package org.terrace.load.mix;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a {@link Mix} from YAML. The document has {@code format: terrace-mix/1}, {@code name},
 * {@code writes} (states), {@code user} and, with {@code authorShare}, {@code author}. Each table
 * has a {@code start} state, {@code next} (for each state a map from what follows to its
 * probability, with {@code back} and {@code end} beside states) and may have {@code think} (think
 * times by state). A mix of requests has {@code requests} instead of tables: a list of {@code
 * class}, {@code method}, {@code path}, {@code weight} and, where there are any, {@code body} and
 * {@code headers}.
 */
final class MixReader {
  private static final String FORMAT = "terrace-mix/1";
  private static final String RUBBOS_PREFIX = "rubbos:";
  private static final String BACK = "back";
  private static final String END = "end";
  private static final Set<String> FIELDS =
      Set.of("format", "name", "writes", "authorShare", "user", "author", "requests");
  private static final Set<String> REQUEST_FIELDS =
      Set.of("class", "method", "path", "weight", "body", "headers");
  private static final Set<String> TABLE_FIELDS = Set.of("start", "think", "next");

  private MixReader() {}

  static Mix read(String name) {
    if (name.startsWith(RUBBOS_PREFIX)) {
      String[] files = name.substring(RUBBOS_PREFIX.length()).split(",", 2);
      return Mix.rubbos(Path.of(files[0]), files.length == 2 ? Path.of(files[1]) : null);
    }
    if (name.equals(Mix.BROWSE_ONLY) || name.equals(Mix.READ_WRITE)) {
      return parse(name, resource(name + ".yaml"));
    }
    try {
      return parse(name, Files.readString(Path.of(name)));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "mix '"
              + name
              + "': is neither browse-only nor read-write, and no file that can be read.",
          e);
    }
  }

  private static String resource(String file) {
    try (InputStream in = MixReader.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("resource " + file + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("resource " + file, e);
    }
  }

  static Mix parse(String source, String yaml) {
    try {
      Object document =
          new Load(LoadSettings.builder().setLabel(source).build()).loadFromString(yaml);
      return mix(map("the document", document));
    } catch (YamlEngineException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "mix " + source + ": is not YAML: " + e.getMessage(), e);
    } catch (TerraceException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, "mix " + source + ": " + e.getMessage(), e);
    }
  }

  private static Mix mix(Map<String, Object> document) {
    checkFields("the document", document, FIELDS);
    if (!FORMAT.equals(document.get("format"))) {
      throw invalid("format", document.get("format"), FORMAT);
    }
    if (document.containsKey("requests")) {
      return Mix.ofRequests(
          String.valueOf(document.get("name")), requests(document.get("requests")));
    }
    Map<String, Object> user = map("user", document.get("user"));
    Object authorValue = document.get("author");
    @Nullable Map<String, Object> author = authorValue == null ? null : map("author", authorValue);
    Set<String> names = new LinkedHashSet<>(map("user.next", user.get("next")).keySet());
    if (author != null) {
      names.addAll(map("author.next", author.get("next")).keySet());
    }
    List<String> states = List.copyOf(names);
    Mix.checkCount(states.size());
    Object share = document.getOrDefault("authorShare", 0);
    return new Mix(
        String.valueOf(document.get("name")),
        Set.copyOf(states("writes", document.get("writes"), states)),
        table("user", user, states),
        author == null ? null : table("author", author, states),
        number("authorShare", share),
        List.of());
  }

  static String requestsToText(String name, List<WeightedRequest> requests) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("format", FORMAT).put("name", name);
    ArrayNode list = root.putArray("requests");
    for (WeightedRequest request : requests) {
      ObjectNode node =
          list.addObject()
              .put("class", request.requestClass())
              .put("method", request.method())
              .put("path", request.path())
              .put("weight", request.weight());
      if (request.body() != null) {
        node.put("body", request.body());
      }
      ObjectNode headers = node.putObject("headers");
      request.headers().forEach(headers::put);
    }
    return root.toPrettyString() + "\n";
  }

  private static List<WeightedRequest> requests(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      throw invalid("requests", value, "a list of requests");
    }
    List<WeightedRequest> requests = new ArrayList<>();
    for (Object entry : list) {
      Map<String, Object> fields = map("requests", entry);
      checkFields("requests", fields, REQUEST_FIELDS);
      Map<String, String> headers = new LinkedHashMap<>();
      map("headers", fields.getOrDefault("headers", Map.of()))
          .forEach((name, text) -> headers.put(name, String.valueOf(text)));
      Object body = fields.get("body");
      Object weight = fields.get("weight");
      requests.add(
          new WeightedRequest(
              String.valueOf(fields.get("class")),
              String.valueOf(fields.get("method")),
              String.valueOf(fields.get("path")),
              body == null ? null : body.toString(),
              headers,
              weight instanceof Number number ? number.doubleValue() : Double.NaN));
    }
    return requests;
  }

  private static TransitionTable table(
      String path, Map<String, Object> table, List<String> states) {
    checkFields(path, table, TABLE_FIELDS);
    int size = states.size();
    double[][] next = new double[size][size];
    double[] back = new double[size];
    double[] end = new double[size];
    for (Map.Entry<String, Object> row : map(path + ".next", table.get("next")).entrySet()) {
      int from = states.indexOf(row.getKey());
      String rowPath = path + ".next." + row.getKey();
      for (Map.Entry<String, Object> cell : map(rowPath, row.getValue()).entrySet()) {
        double probability = number(rowPath + "." + cell.getKey(), cell.getValue());
        switch (cell.getKey()) {
          case BACK -> back[from] = probability;
          case END -> end[from] = probability;
          default -> next[from][state(rowPath, cell.getKey(), states)] = probability;
        }
      }
    }
    Map<String, ThinkTime> think = new HashMap<>();
    map(path + ".think", table.getOrDefault("think", Map.of()))
        .forEach((state, time) ->
            think.put(
                states.get(state(path + ".think", state, states)),
                ThinkTime.parse(String.valueOf(time))));
    int start = state(path + ".start", table.get("start"), states);
    return new TransitionTable(states, start, next, back, end, think);
  }

  private static List<String> states(String path, @Nullable Object value, List<String> states) {
    if (!(value instanceof List<?> list)) {
      throw invalid(path, value, "a list of states");
    }
    List<String> names = new ArrayList<>();
    list.forEach(name -> names.add(states.get(state(path, name, states))));
    return names;
  }

  private static int state(String path, @Nullable Object name, List<String> states) {
    int state = name == null ? -1 : states.indexOf(name.toString());
    if (state < 0) {
      throw invalid(path, name, "a state that has a row of its own under 'next': " + states);
    }
    return state;
  }

  private static double number(String path, @Nullable Object value) {
    if (value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= 1) {
      return number.doubleValue();
    }
    throw invalid(path, value, "a probability, 0 to 1");
  }

  private static Map<String, Object> map(String path, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw invalid(path, value, "a map");
    }
    Map<String, Object> result = new LinkedHashMap<>();
    map.forEach((key, entry) -> result.put(String.valueOf(key), entry));
    return result;
  }

  private static void checkFields(String path, Map<String, Object> map, Set<String> known) {
    for (String field : map.keySet()) {
      if (!known.contains(field)) {
        throw invalid(path, field, "only the fields " + known.stream().sorted().toList());
      }
    }
  }

  static TerraceException invalid(String path, @Nullable Object value, String expected) {
    return new TerraceException(
        ErrorCode.BAD_INPUT, path + ": '" + value + "' is not valid; expected " + expected + ".");
  }
}
