package org.terrace.scaling;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The names of configurations that stand beside each other: each says only in what it differs from
 * the others, and one note says what they have in common. Unique as {@link Configuration#label} is.
 * Immutable.
 */
public final class ConfigurationNames {
  /** A varied field that so many of four configurations have alike is told of the others alone. */
  private static final int USUAL_OF_FOUR = 3;

  private static final int FOUR = 4;

  private final boolean databaseShown;
  private final Map<String, String> commonTypes;
  private final Map<String, String> commonValues;
  private final Map<String, String> usualValues;
  private final String note;

  private ConfigurationNames(List<Configuration> all) {
    boolean several = all.size() > 1;
    databaseShown = !several || all.stream().map(Configuration::database).distinct().count() > 1;
    commonTypes = several ? commonTypes(all) : Map.of();
    commonValues = new TreeMap<>();
    usualValues = new TreeMap<>();
    if (several) {
      varied(all);
    }
    note = note(all);
  }

  /** The names of some configurations, each of which may be there more than once. */
  public static ConfigurationNames of(Collection<Configuration> configurations) {
    return new ConfigurationNames(configurations.stream().distinct().toList());
  }

  /** The names of a mesh's configurations, those without a trial that was done included. */
  public static ConfigurationNames of(Mesh mesh) {
    return of(mesh.trials().stream().map(MeshTrial::configuration).toList());
  }

  private static Map<String, String> commonTypes(List<Configuration> all) {
    Map<String, String> common = new LinkedHashMap<>();
    for (String tier : Configuration.TIERS) {
      String type = all.getFirst().nodeType(tier);
      if (!type.equals(Configuration.NORMAL)
          && all.stream().allMatch(each -> each.nodeType(tier).equals(type))) {
        common.put(tier, type);
      }
    }
    return common;
  }

  private void varied(List<Configuration> all) {
    TreeSet<String> paths = new TreeSet<>();
    all.forEach(each -> paths.addAll(each.variations().keySet()));
    for (String path : paths) {
      Map<String, Integer> counts = new HashMap<>();
      for (Configuration each : all) {
        String value = each.variations().get(path);
        if (value != null) {
          counts.merge(value, 1, Integer::sum);
        }
      }
      int having = counts.values().stream().mapToInt(Integer::intValue).sum();
      Map.Entry<String, Integer> most =
          counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
      // Where one lacks the field, its absence would read as the usual value.
      if (having == all.size() && most.getValue() == all.size()) {
        commonValues.put(path, most.getKey());
      } else if (having == all.size() && FOUR * most.getValue() >= USUAL_OF_FOUR * all.size()) {
        usualValues.put(path, most.getKey());
      }
    }
  }

  private String note(List<Configuration> all) {
    List<String> common = new ArrayList<>();
    if (!databaseShown) {
      common.add(all.getFirst().database());
    }
    commonTypes.forEach((tier, type) -> common.add(tier + "=" + type));
    commonValues.forEach((path, value) -> common.add(path + "=" + value));
    List<String> sentences = new ArrayList<>();
    if (!common.isEmpty()) {
      sentences.add("All configurations have " + String.join(", ", common) + ".");
    }
    if (!usualValues.isEmpty()) {
      sentences.add(
          "Those whose name does not say otherwise have "
              + usualValues.entrySet().stream()
                  .map(each -> each.getKey() + "=" + each.getValue())
                  .collect(Collectors.joining(", "))
              + ".");
    }
    return String.join(" ", sentences);
  }

  /** The name of one of them: {@code 1/2/1/2 database=L}. */
  public String of(Configuration configuration) {
    StringBuilder name = new StringBuilder(configuration.topology());
    if (databaseShown) {
      name.append(' ').append(configuration.database());
    }
    configuration
        .nodeTypes()
        .forEach((tier, type) -> {
          if (!type.equals(Configuration.NORMAL) && !type.equals(commonTypes.get(tier))) {
            name.append(' ').append(tier).append('=').append(type);
          }
        });
    configuration
        .variations()
        .forEach((path, value) -> {
          boolean told =
              Objects.equals(commonValues.get(path), value)
                  || Objects.equals(usualValues.get(path), value);
          if (!told) {
            name.append(' ').append(path).append('=').append(value);
          }
        });
    return name.toString();
  }

  /** The sentences that say what names leave out; empty if they leave out nothing. */
  public String note() {
    return note;
  }
}
