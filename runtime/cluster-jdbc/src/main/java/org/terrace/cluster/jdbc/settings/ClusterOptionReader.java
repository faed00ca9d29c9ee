package org.terrace.cluster.jdbc.settings;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ReadBalancer;
import org.terrace.cluster.core.WriteStrategy;
import org.terrace.cluster.server.copy.CopyPolicy;
import org.terrace.cluster.server.dialect.ReplicaAddress;
import org.terrace.cluster.sql.Engine;

/** The options of a URL, each with its range; who asks for another is told which there are. */
final class ClusterOptionReader {
  private static final String DRIVER_PREFIX = "driver.";
  private static final int POOL_MAX = 1000;
  private static final int DEFAULT_POOL = 16;
  private static final int DEFAULT_BEHIND = 16;
  private static final long LONGEST_MILLIS = 3_600_000;
  private static final int WEIGHT_MAX = 1000;

  /** A shorter lease would run out in a pause for garbage. */
  private static final long LEASE_MILLIS_MIN = 300;

  private static final Pattern FUNCTION = Pattern.compile("[a-z_][a-z0-9_$]*");

  private static final List<String> NAMES =
      List.of(
          "user",
          "password",
          "writes",
          "maxBehind",
          "scheduling",
          "balancing",
          "weights",
          "minimumReplicas",
          "poolSize",
          "connectMillis",
          "hangMillis",
          "lockWaitMillis",
          "parseMillis",
          "leaseMillis",
          "log",
          "copy",
          "membership",
          "functions");

  private final Map<String, String> values;

  private ClusterOptionReader(Map<String, String> values) {
    this.values = values;
  }

  static ClusterConfiguration read(
      Engine engine, List<ReplicaAddress> servers, String database, Map<String, String> values)
      throws SQLException {
    for (String name : values.keySet()) {
      if (!NAMES.contains(name) && !name.startsWith(DRIVER_PREFIX)) {
        throw ClusterUrl.bad(
            "There is no option '%s': expected one of %s, or driver.NAME for an option of the real driver."
                .formatted(name, String.join(", ", NAMES)));
      }
    }
    return new ClusterOptionReader(values).configuration(engine, servers, database);
  }

  private ClusterConfiguration configuration(
      Engine engine, List<ReplicaAddress> servers, String database) throws SQLException {
    int replicas = servers.size();
    return new ClusterConfiguration(
        engine,
        servers,
        database,
        values.getOrDefault("user", ""),
        values.getOrDefault("password", ""),
        strategy(),
        choice("scheduling", Scheduling.class, Scheduling.TABLE),
        choice("balancing", ReadBalancer.Policy.class, ReadBalancer.Policy.LEAST_PENDING),
        weights(replicas),
        (int) number("minimumReplicas", (replicas + 1) / 2, 1, replicas),
        (int) number("maxBehind", DEFAULT_BEHIND, 1, POOL_MAX),
        (int) number("poolSize", DEFAULT_POOL, 1, POOL_MAX),
        millis("connectMillis", 5_000),
        millis("hangMillis", 1_900),
        millis("lockWaitMillis", 30_000),
        millis("parseMillis", 5_000),
        Duration.ofMillis(number("leaseMillis", 3_000, LEASE_MILLIS_MIN, LONGEST_MILLIS)),
        values.getOrDefault("log", ""),
        choice("copy", CopyPolicy.class, CopyPolicy.BEHIND),
        choice("membership", MembershipSource.class, MembershipSource.REMEMBERED),
        functions(),
        driverOptions());
  }

  private WriteStrategy strategy() throws SQLException {
    WriteStrategy strategy = choice("writes", WriteStrategy.class, WriteStrategy.WAIT_ALL);
    if (strategy != WriteStrategy.WAIT_ALL && values.getOrDefault("log", "").isEmpty()) {
      throw ClusterUrl.bad(
          "writes=%s needs a recovery log, as a server that is behind when this process ends can get the rest from nowhere else: add log=DIRECTORY, or use wait-all."
              .formatted(values.get("writes")));
    }
    return strategy;
  }

  private <E extends Enum<E>> E choice(String name, Class<E> type, E usual) throws SQLException {
    String value = values.get(name);
    if (value == null) {
      return usual;
    }
    List<String> known = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String written = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (written.equals(value)) {
        return constant;
      }
      known.add(written);
    }
    throw wrong(name, value, "one of " + String.join(", ", known));
  }

  private Duration millis(String name, long usual) throws SQLException {
    return Duration.ofMillis(number(name, usual, 1, LONGEST_MILLIS));
  }

  private long number(String name, long usual, long least, long most) throws SQLException {
    String value = values.get(name);
    return value == null ? usual : number(name, value, least, most);
  }

  private static long number(String name, String value, long least, long most) throws SQLException {
    try {
      long number = Long.parseLong(value.strip());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(name, value, "a number from " + least + " to " + most);
    }
    throw wrong(name, value, "a number from " + least + " to " + most);
  }

  private List<Integer> weights(int replicas) throws SQLException {
    @Nullable String value = values.get("weights");
    if (value == null) {
      return Collections.nCopies(replicas, 1);
    }
    List<Integer> weights = new ArrayList<>();
    for (String one : value.split(",", -1)) {
      weights.add((int) number("weights", one, 1, WEIGHT_MAX));
    }
    if (weights.size() != replicas) {
      throw wrong("weights", value, replicas + " numbers, one for each server of the URL");
    }
    return weights;
  }

  private Set<String> functions() throws SQLException {
    String value = values.getOrDefault("functions", "");
    Set<String> functions = new TreeSet<>();
    for (String one : value.isEmpty() ? List.<String>of() : List.of(value.split(",", -1))) {
      String name = one.strip().toLowerCase(Locale.ROOT);
      if (!FUNCTION.matcher(name).matches()) {
        throw wrong("functions", value, "names of functions, separated by commas");
      }
      functions.add(name);
    }
    return functions;
  }

  private Map<String, String> driverOptions() {
    Map<String, String> options = new TreeMap<>();
    values.forEach((name, value) -> {
      if (name.startsWith(DRIVER_PREFIX)) {
        options.put(name.substring(DRIVER_PREFIX.length()), value);
      }
    });
    return options;
  }

  private static SQLException wrong(String name, String value, String expected) {
    return ClusterUrl.bad("The option %s is '%s': expected %s.".formatted(name, value, expected));
  }
}
