package org.terrace.scaling;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The servers and settings of a trial, whatever its load. Immutable; equal where all parts are.
 *
 * @param topology the servers of the web, application, clustering middleware and database tier, as
 *     in {@code 1/2/1/2}
 * @param database the database's name, as in a specification
 * @param nodeTypes the type of the nodes of a tier, by the tier's name; tiers that are not listed
 *     are of the type {@value #NORMAL}
 * @param variations fields of the specification that the mesh varies, by their path, as in {@code
 *     replication}: {@code wait-all}; empty where it varies none
 */
public record Configuration(
    String topology,
    String database,
    Map<String, String> nodeTypes,
    Map<String, String> variations) {
  /** The tiers in the order of a topology's numbers. */
  public static final List<String> TIERS = List.of("web", "app", "middleware", "database");

  /** The type of nodes that have none of their own. */
  public static final String NORMAL = "normal";

  /** The path of the load among the fields that a mesh varies, as a whole or a part of it. */
  private static final String LOAD = "load";

  /** Sorts the types and variations, and checks the topology. */
  public Configuration {
    nodeTypes = Collections.unmodifiableMap(new TreeMap<>(nodeTypes));
    variations = Collections.unmodifiableMap(new TreeMap<>(variations));
    if (!topology.matches("\\d{1,4}/\\d{1,4}/\\d{1,4}/\\d{1,4}")) {
      throw new IllegalArgumentException(
          "topology '" + topology + "'; expected four numbers of servers, as in 1/2/1/2");
    }
  }

  /**
   * The part of a configuration that is not the numbers of its servers. Immutable.
   *
   * @param database as of {@link Configuration}
   * @param nodeTypes as of {@link Configuration}
   * @param variations as of {@link Configuration}
   */
  public record Kind(
      String database, Map<String, String> nodeTypes, Map<String, String> variations) {}

  /**
   * The kind of servers, which configurations have in common that differ in their numbers alone.
   */
  public Kind kind() {
    return new Kind(database, nodeTypes, variations);
  }

  /** The number of servers of each tier, in the order of {@link #TIERS}. */
  public List<Integer> counts() {
    List<Integer> counts = new ArrayList<>();
    for (String count : topology.split("/", -1)) {
      counts.add(Integer.valueOf(count));
    }
    return List.copyOf(counts);
  }

  /** The number of servers of a tier of {@link #TIERS}. */
  public int servers(String tier) {
    return counts().get(index(tier));
  }

  /** The type of a tier's nodes. */
  public String nodeType(String tier) {
    return nodeTypes.getOrDefault(tier, NORMAL);
  }

  /** The number of nodes of each type, by the type's name. */
  public Map<String, Integer> nodes() {
    Map<String, Integer> nodes = new TreeMap<>();
    List<Integer> counts = counts();
    for (int tier = 0; tier < TIERS.size(); tier++) {
      if (counts.get(tier) > 0) {
        nodes.merge(nodeType(TIERS.get(tier)), counts.get(tier), Integer::sum);
      }
    }
    return nodes;
  }

  /** The fields of the load that are varied: users who think for longer ask for less. */
  public Map<String, String> loadVariations() {
    Map<String, String> load = new TreeMap<>(variations);
    load.keySet().removeIf(field -> !field.equals(LOAD) && !field.startsWith(LOAD + "."));
    return load;
  }

  /** The same configuration with another number of servers in a tier. */
  public Configuration withServers(String tier, int servers) {
    List<String> counts = new ArrayList<>(List.of(topology.split("/", -1)));
    counts.set(index(tier), Integer.toString(servers));
    return new Configuration(String.join("/", counts), database, nodeTypes, variations);
  }

  /** A short name, unique among configurations: {@code 1/2/1/2 postgresql database=L}. */
  public String label() {
    StringBuilder label = new StringBuilder(topology).append(' ').append(database);
    nodeTypes.forEach((tier, type) -> {
      if (!type.equals(NORMAL)) {
        label.append(' ').append(tier).append('=').append(type);
      }
    });
    variations.forEach((path, value) -> label.append(' ').append(path).append('=').append(value));
    return label.toString();
  }

  private static int index(String tier) {
    int index = TIERS.indexOf(tier);
    if (index < 0) {
      throw new IllegalArgumentException("tier '" + tier + "'; expected one of " + TIERS);
    }
    return index;
  }
}
