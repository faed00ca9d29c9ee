package org.terrace.specification;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.load.mix.WeightedRequest;
import org.terrace.nodes.setting.DeclaredMetrics;
import org.terrace.nodes.setting.DeclaredMetrics.Pool;
import org.terrace.nodes.setting.MetricSelector;
import org.terrace.nodes.setting.TierProgram.Metrics;

/** Reads which metrics of a program of the user's own are kept. Stateless. */
final class MetricsReader {
  /** The most pools of a program, and the most metrics that are kept of it. */
  static final int MOST = 32;

  /** Names of resources that a mesh knows for what the kernel tells of every server. */
  private static final Set<String> TAKEN =
      Set.of("cpu", "memory", "disk", "network", "accept-queue");

  private static final String USUAL_PATH = "/metrics";
  private static final int LAST_PORT = 65_535;
  private static final double LARGEST = 1e9;
  private static final Pattern NUMBER = Pattern.compile("[-+.]?[0-9].*");

  private MetricsReader() {}

  static Optional<Metrics> read(Node node, String key, Problems problems) {
    Optional<Fields> found = Fields.of(node, key, problems);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = found.get();
    String path =
        fields
            .optional("path", Values.text(WeightedRequest.PATH, "a path such as /metrics"))
            .orElse(USUAL_PATH);
    Optional<Integer> port =
        fields.optional("port", Values.integer(1, LAST_PORT)).map(Long::intValue);
    Map<String, Pool> pools = fields.optional("pools", MetricsReader::pools).orElse(Map.of());
    List<MetricSelector> kept =
        fields.optional("keep", Values.list(MetricsReader::selector)).orElse(List.of());
    fields.finish();
    if (!fields.has("pools") && !fields.has("keep")) {
      problems.add(
          node, "metrics names none to keep, expected pools, keep or both, such as keep: [up]");
    }
    reportTooMany(fields, "pools", pools.size(), problems);
    reportTooMany(fields, "keep", kept.size(), problems);
    Set<MetricSelector> once = new HashSet<>();
    kept.stream()
        .filter(each -> !once.add(each))
        .forEach(
            each -> problems.add(fields.keyNode("keep"), "keep names " + each.text() + " twice"));
    return Optional.of(
        new Metrics(
            path,
            port.map(OptionalInt::of).orElseGet(OptionalInt::empty),
            new DeclaredMetrics(pools, kept)));
  }

  private static void reportTooMany(Fields fields, String key, int number, Problems problems) {
    if (number > MOST) {
      problems.add(
          fields.keyNode(key),
          "%s has %d entries, expected at most %d".formatted(key, number, MOST));
    }
  }

  private static Optional<Map<String, Pool>> pools(Node node, String key, Problems problems) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          for (String name : fields.keys()) {
            if (!Values.NAME.matcher(name).matches() || TAKEN.contains(name)) {
              problems.add(
                  fields.keyNode(name),
                  "'%s' in pools, expected a name of small letters, digits and '-' other than %s"
                      .formatted(name, String.join(", ", TAKEN.stream().sorted().toList())));
            }
          }
          return fields.all(MetricsReader::pool);
        });
  }

  private static Optional<Pool> pool(Node node, String key, Problems problems) {
    Optional<Fields> found = Fields.of(node, "the pool " + key, problems);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = found.get();
    Optional<MetricSelector> inUse = fields.required("inUse", MetricsReader::selector);
    boolean fixed = fields.node("size").filter(MetricsReader::isNumber).isPresent();
    Optional<MetricSelector> size =
        fixed ? Optional.empty() : fields.required("size", MetricsReader::selector);
    Optional<Double> number =
        fixed ? fields.required("size", Values.positive(LARGEST)) : Optional.empty();
    fields.finish();
    return inUse
        .filter(_ -> size.isPresent() || number.isPresent())
        .map(used -> new Pool(used, size, number.orElse(0.0)));
  }

  private static boolean isNumber(Node node) {
    return node instanceof ScalarNode scalar
        && scalar.getScalarStyle() == ScalarStyle.PLAIN
        && NUMBER.matcher(scalar.getValue()).matches();
  }

  private static Optional<MetricSelector> selector(Node node, String key, Problems problems) {
    Optional<MetricSelector> selector =
        node instanceof ScalarNode scalar
            ? MetricSelector.parse(scalar.getValue())
            : Optional.empty();
    if (selector.isEmpty()) {
      problems.add(
          node,
          "%s is %s, expected the name of a metric, with labels if need be: 'name{label=\"value\"}'"
              .formatted(key, Words.describe(node)));
    }
    return selector;
  }
}
