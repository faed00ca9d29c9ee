package org.terrace.specification;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;

/**
 * Prices in YAML: what a server costs an hour, and what requests earn. All that is wrong is
 * reported at once, by line.
 */
public final class PricesFile {
  /** The name of the file that a mesh's own directory may have. */
  public static final String NAME = "prices.yaml";

  /** The field of a mesh that holds its prices. */
  static final String KEY = "prices";

  private static final String OTHERS = "others";
  private static final Pattern WORD = Pattern.compile("\\S(.{0,198}\\S)?");
  private static final Pattern AMOUNT = Pattern.compile("\\d{1,12}(\\.\\d{1,12})?");
  private static final Pattern TIME = Pattern.compile("([01]\\d|2[0-3]):[0-5]\\d");
  private static final int MOST_USERS = 10_000_000;
  private static final Duration LONGEST = Duration.ofHours(1);

  private PricesFile() {}

  /** The prices in a file, which may be a mesh that has some. */
  public static Prices read(Path file) {
    return read(file.toString(), SpecificationReader.text(file));
  }

  static Prices read(String name, String text) {
    return SpecificationReader.read(name, text, PricesFile::prices);
  }

  /** Whether a file is a mesh with prices of its own. */
  public static boolean isMeshWithPrices(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    String text = SpecificationReader.text(file);
    return SpecificationReader.kind(file.toString(), text)
            .filter(MeshSpecification.KIND::equals)
            .isPresent()
        && SpecificationReader.has(file.toString(), text, KEY);
  }

  private static Optional<Prices> prices(Node root, Problems problems) {
    Optional<Fields> read = Fields.of(root, "the prices", problems);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = read.get();
    if (fields.node("kind").filter(PricesFile::isMesh).isPresent()) {
      return fields.required(KEY, PricesFile::inMesh);
    }
    fields.required("kind", Values.oneOf(Map.of("Prices", true)));
    return prices(fields, problems);
  }

  private static boolean isMesh(Node kind) {
    return kind instanceof ScalarNode scalar && scalar.getValue().equals(MeshSpecification.KIND);
  }

  /** The prices that stand in a mesh, without a kind of their own. */
  static Optional<Prices> inMesh(Node node, String key, Problems problems) {
    return Fields.of(node, "the prices", problems).flatMap(fields -> prices(fields, problems));
  }

  private static Optional<Prices> prices(Fields fields, Problems problems) {
    Optional<String> currency =
        fields.optional("currency", Values.text(WORD, "a name such as EUR"));
    Optional<Map<String, Double>> servers =
        fields.required("servers", table("servers", PricesFile::amount));
    Optional<Map<String, Terms>> requests =
        fields.required("requests", table("requests", PricesFile::terms));
    Optional<Double> start = fields.optional("serverStart", PricesFile::amount);
    Optional<List<Prices.DayLoad>> day = fields.optional("day", Values.list(PricesFile::dayLoad));
    fields.finish();
    if (servers.isEmpty()
        || requests.isEmpty()
        || !rises(day.orElse(List.of()), fields.node(), problems)) {
      return Optional.empty();
    }
    Map<String, Terms> classes = new LinkedHashMap<>(requests.get());
    Terms others = classes.remove(OTHERS);
    return Optional.of(
        new Prices(
            currency.orElse("EUR"),
            servers.get(),
            classes,
            others,
            day.orElse(List.of()),
            start.orElse(0.0)));
  }

  private static boolean rises(List<Prices.DayLoad> day, Node root, Problems problems) {
    for (int i = 1; i < day.size(); i++) {
      if (day.get(i).minute() <= day.get(i - 1).minute()) {
        problems.add(root, "the times of day do not rise, expected from 00:00 on in order");
        return false;
      }
    }
    return true;
  }

  private static <T> ValueReader<Map<String, T>> table(String what, ValueReader<T> reader) {
    return (node, key, problems) ->
        Fields.of(node, what, problems).map(fields -> fields.all(reader));
  }

  /** An amount of money, not below 0. */
  private static Optional<Double> amount(Node node, String key, Problems problems) {
    if (node instanceof ScalarNode scalar && AMOUNT.matcher(scalar.getValue()).matches()) {
      OptionalDouble value = OptionalDouble.of(Double.parseDouble(scalar.getValue()));
      return Optional.of(value.getAsDouble());
    }
    problems.add(node, key + " is no amount, expected a number such as 0.05, 0 or above");
    return Optional.empty();
  }

  private static Optional<Terms> terms(Node node, String key, Problems problems) {
    Optional<Fields> read = Fields.of(node, key, problems);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = read.get();
    Optional<Duration> within =
        fields.required("within", Values.duration(Duration.ofNanos(1_000), LONGEST));
    Optional<Double> revenue = fields.required("revenue", PricesFile::amount);
    Optional<Double> penalty = fields.optional("penalty", PricesFile::amount);
    fields.finish();
    return within.isEmpty() || revenue.isEmpty()
        ? Optional.empty()
        : Optional.of(new Terms(within.get().toNanos() / 1e6, revenue.get(), penalty.orElse(0.0)));
  }

  private static Optional<Prices.DayLoad> dayLoad(Node node, String key, Problems problems) {
    Optional<Fields> read = Fields.of(node, "a load of the day", problems);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = read.get();
    Optional<String> at =
        fields.required("at", Values.text(TIME, "a time such as \"08:30\", in quotes"));
    Optional<Long> users = fields.required("users", Values.integer(0, MOST_USERS));
    fields.finish();
    return at.isEmpty() || users.isEmpty()
        ? Optional.empty()
        : Optional.of(new Prices.DayLoad(minute(at.get()), users.get().intValue()));
  }

  private static int minute(String time) {
    return 60 * Integer.parseInt(time.substring(0, 2)) + Integer.parseInt(time.substring(3));
  }
}
