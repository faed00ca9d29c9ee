package org.terrace.specification;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.terrace.experiment.Distribution;
import org.terrace.nodes.fault.FaultText;

/** Readers of single values. Stateless. */
public final class Values {
  /** The longest list a specification may hold. */
  static final int MAXIMUM_LIST = 1_000;

  /** The form of names of experiments, studies and claims. */
  public static final Pattern NAME = Pattern.compile("[a-z0-9]+([.-][a-z0-9]+)*");

  /** The network of a specification that names none. */
  public static final String LOOPBACK = "127.0";

  private static final Pattern NETWORK =
      Pattern.compile("127\\.(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)");
  private static final String NUMBER = "(\\d{1,12}(?:\\.\\d{1,9})?)";
  private static final Pattern DURATION = Pattern.compile(NUMBER + "(us|ms|s|m|h)");
  private static final Pattern DISTRIBUTION = Pattern.compile("(exp|const)\\((.*)\\)");
  private static final Pattern INTEGER = Pattern.compile("[-+]?\\d{1,18}");
  private static final Pattern DECIMAL = Pattern.compile("[-+]?\\d{1,15}(\\.\\d{1,15})?");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,9})(k|m|g)");
  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "us",
          1_000L,
          "ms",
          1_000_000L,
          "s",
          1_000_000_000L,
          "m",
          60_000_000_000L,
          "h",
          3_600_000_000_000L);
  private static final Map<String, Integer> UNIT_SHIFT = Map.of("k", 10, "m", 20, "g", 30);

  private static final String RANGE_DOTS = "..";

  private Values() {}

  /**
   * The values between two. Immutable.
   *
   * @param least the least of them
   * @param most the greatest, {@code least} or more
   */
  record Range<T extends Comparable<T>>(T least, T most) {}

  /** The first two numbers of the loopback addresses of a specification's servers. */
  public static ValueReader<String> network() {
    return text(NETWORK, "127.0 to 127.255, as the servers' network");
  }

  /** A seed, from which every random choice derives. */
  public static ValueReader<Long> seed() {
    return integer(0, Long.MAX_VALUE / 10);
  }

  public static ValueReader<Long> integer(long least, long most) {
    String expected = "a whole number from " + least + " to " + most;
    return plain(
        expected,
        text -> {
          if (!INTEGER.matcher(text).matches()) {
            return Optional.empty();
          }
          return Optional.of(Long.parseLong(text)).filter(v -> v >= least && v <= most);
        });
  }

  /** A number above zero. */
  static ValueReader<Double> positive(double most) {
    String expected = "a number above 0 and at most " + BigDecimal.valueOf(most).toPlainString();
    return plain(
        expected,
        text -> {
          if (!DECIMAL.matcher(text).matches()) {
            return Optional.empty();
          }
          return Optional.of(Double.parseDouble(text)).filter(v -> v > 0 && v <= most);
        });
  }

  public static ValueReader<Boolean> flag() {
    return plain(
        "true or false",
        text ->
            switch (text) {
              case "true" -> Optional.of(true);
              case "false" -> Optional.of(false);
              default -> Optional.empty();
            });
  }

  public static ValueReader<Duration> duration(Duration least, Duration most) {
    String expected =
        "a duration such as 500ms, 10s or 2m, from " + print(least) + " to " + print(most);
    return scalar(
        expected,
        text ->
            parseDuration(text)
                .filter(value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0));
  }

  static ValueReader<Distribution> distribution(Duration most) {
    String expected = "a distribution such as exp(7s) or const(1s), with a mean up to ";
    return scalar(
        expected + print(most),
        text -> {
          Matcher matcher = DISTRIBUTION.matcher(text);
          if (!matcher.matches()) {
            return Optional.empty();
          }
          Optional<Duration> mean =
              parseDuration(matcher.group(2).strip()).filter(value -> value.compareTo(most) <= 0);
          return matcher.group(1).equals("const")
              ? mean.map(Distribution.Constant::new)
              : mean.filter(value -> !value.isZero()).map(Distribution.Exponential::new);
        });
  }

  /** Bytes, written like the sizes of a Java heap. */
  static ValueReader<Long> bytes(long least, long most) {
    return scalar(
        "a size such as 128m or 1g, from " + size(least) + " to " + size(most),
        text -> {
          Matcher matcher = BYTES.matcher(text);
          if (!matcher.matches()) {
            return Optional.empty();
          }
          int shift = UNIT_SHIFT.getOrDefault(matcher.group(2), 0);
          return Optional.of(Long.parseLong(matcher.group(1)) << shift)
              .filter(value -> value >= least && value <= most);
        });
  }

  /** A size in the largest unit in which it is a whole number. */
  private static String size(long bytes) {
    List<String> units = List.of("k", "m", "g");
    for (int unit = units.size(); unit > 0; unit--) {
      if (bytes > 0 && bytes % (1L << (10 * unit)) == 0) {
        return (bytes >> (10 * unit)) + units.get(unit - 1);
      }
    }
    return Long.toString(bytes);
  }

  public static ValueReader<String> text(Pattern pattern, String expected) {
    return scalar(expected, text -> Optional.of(text).filter(t -> pattern.matcher(t).matches()));
  }

  public static <T> ValueReader<T> oneOf(Map<String, T> choices) {
    return (node, key, problems) -> {
      String text = node instanceof ScalarNode scalar ? scalar.getValue() : "";
      T choice = choices.get(text);
      if (choice != null) {
        return Optional.of(choice);
      }
      if (text.isEmpty()) {
        problems.add(
            node,
            key
                + " is "
                + Words.describe(node)
                + ", expected one of: "
                + String.join(", ", choices.keySet()));
      } else {
        problems.add(node, Words.unknown("value", text, key, choices.keySet()));
      }
      return Optional.empty();
    };
  }

  public static <T> ValueReader<List<T>> list(ValueReader<T> element) {
    return (node, key, problems) -> {
      if (!(node instanceof SequenceNode sequence)) {
        problems.add(node, key + " is " + Words.describe(node) + ", expected a list [...]");
        return Optional.empty();
      }
      if (sequence.getValue().size() > MAXIMUM_LIST) {
        problems.add(node, key + " has more than " + MAXIMUM_LIST + " entries");
        return Optional.empty();
      }
      List<T> values = new ArrayList<>();
      for (Node entry : sequence.getValue()) {
        element.read(entry, key, problems).ifPresent(values::add);
      }
      return Optional.of(values);
    };
  }

  /** The text of a duration in a specification. */
  static String print(Duration duration) {
    return FaultText.duration(duration);
  }

  /** A value, or two of them with dots between, the lesser first: {@code 100ms..2s}. */
  static <T extends Comparable<T>> ValueReader<Range<T>> range(ValueReader<T> end) {
    return (node, key, problems) -> {
      if (!(node instanceof ScalarNode scalar) || !scalar.getValue().contains(RANGE_DOTS)) {
        return end.read(node, key, problems).map(value -> new Range<>(value, value));
      }
      String text = scalar.getValue();
      int dots = text.indexOf(RANGE_DOTS);
      Optional<T> least = end.read(part(scalar, text.substring(0, dots)), key, problems);
      Optional<T> most =
          end.read(part(scalar, text.substring(dots + RANGE_DOTS.length())), key, problems);
      if (least.isEmpty() || most.isEmpty()) {
        return Optional.empty();
      }
      if (least.get().compareTo(most.get()) > 0) {
        problems.add(
            node, key + " is " + Words.describe(node) + ", expected the lesser value first");
        return Optional.empty();
      }
      return Optional.of(new Range<>(least.get(), most.get()));
    };
  }

  private static ScalarNode part(ScalarNode whole, String text) {
    return new ScalarNode(
        whole.getTag(),
        true,
        text.strip(),
        whole.getScalarStyle(),
        whole.getStartMark(),
        whole.getEndMark());
  }

  private static Optional<Duration> parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    BigDecimal unit = BigDecimal.valueOf(UNIT_NANOS.getOrDefault(matcher.group(2), 1L));
    BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(unit);
    return nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(nanos.longValue()));
  }

  private interface Parser<T> {
    Optional<T> parse(String text);
  }

  private static <T> ValueReader<T> scalar(String expected, Parser<T> parser) {
    return (node, key, problems) -> {
      Optional<T> value =
          node instanceof ScalarNode scalar ? parser.parse(scalar.getValue()) : Optional.empty();
      if (value.isEmpty()) {
        problems.add(node, key + " is " + Words.describe(node) + ", expected " + expected);
      }
      return value;
    };
  }

  /** A value that a quoted text is not, such as a number. */
  private static <T> ValueReader<T> plain(String expected, Parser<T> parser) {
    ValueReader<T> reader = scalar(expected, parser);
    return (node, key, problems) -> {
      if (node instanceof ScalarNode scalar && scalar.getScalarStyle() != ScalarStyle.PLAIN) {
        problems.add(
            node, key + " is the quoted text " + Words.describe(node) + ", expected " + expected);
        return Optional.empty();
      }
      return reader.read(node, key, problems);
    };
  }
}
