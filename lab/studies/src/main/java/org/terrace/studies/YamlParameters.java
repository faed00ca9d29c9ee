package org.terrace.studies;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.specification.Fields;
import org.terrace.specification.Problems;
import org.terrace.specification.ValueReader;
import org.terrace.specification.Values;
import org.terrace.studies.design.Parameters;

/** The parameters of a study in a YAML mapping. Confined to one thread. */
final class YamlParameters implements Parameters {
  private final Fields fields;
  private final Problems problems;

  YamlParameters(Fields fields, Problems problems) {
    this.fields = fields;
    this.problems = problems;
  }

  @Override
  public int integer(String key, int least, int most, int otherwise) {
    return fields
        .optional(key, Values.integer(least, most))
        .map(Math::toIntExact)
        .orElse(otherwise);
  }

  @Override
  public List<Integer> integers(String key, int least, int most, List<Integer> otherwise) {
    return list(key, Values.integer(least, most), otherwise.stream().map(Long::valueOf).toList())
        .stream()
        .map(Math::toIntExact)
        .toList();
  }

  @Override
  public Duration duration(String key, Duration most, Duration otherwise) {
    return fields.optional(key, Values.duration(Duration.ZERO, most)).orElse(otherwise);
  }

  @Override
  public List<Duration> durations(String key, Duration most, List<Duration> otherwise) {
    return list(key, Values.duration(Duration.ZERO, most), otherwise);
  }

  @Override
  public List<String> words(String key, Set<String> allowed, List<String> otherwise) {
    Map<String, String> choices = new TreeMap<>();
    allowed.forEach(word -> choices.put(word, word));
    return list(key, Values.oneOf(choices), otherwise);
  }

  @Override
  public boolean flag(String key, boolean otherwise) {
    return fields.optional(key, Values.flag()).orElse(otherwise);
  }

  private <T> List<T> list(String key, ValueReader<T> element, List<T> otherwise) {
    List<T> values = fields.optional(key, Values.list(element)).orElse(otherwise);
    if (values.isEmpty()) {
      problems.add(fields.keyNode(key), key + " is an empty list, expected at least one entry");
      return otherwise;
    }
    return values;
  }
}
