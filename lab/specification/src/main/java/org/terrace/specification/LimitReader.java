package org.terrace.specification;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.nodes.Node;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.nodes.setting.Collector;
import org.terrace.nodes.setting.ProcessorLimit;
import org.terrace.nodes.setting.SoftLimits;

/**
 * Reads what servers may use: processor time, memory, storage, network, heap and its collector, and
 * the soft limits of application servers. Confined to one thread.
 */
final class LimitReader implements CampaignReader.Limited {
  private static final String PROCESSOR_LIMITS = "limits";
  private static final String NETWORK = "network";

  /** The limits that stand without one of processor time. */
  private static final List<String> HELD = List.of("memory", "disk", NETWORK);

  private static final long LEAST_HEAP = 8L << 20;
  private static final long MOST_HEAP = 1L << 40;
  private static final long LEAST_MEMORY = 16L << 20;

  /** In bytes a second: a page of a database takes an eighth of a second then. */
  private static final long LEAST_DISK = 1L << 16;

  /** In bytes a second: more would take long to be proved. */
  private static final long MOST_DISK = 128L << 20;

  /** In bytes a second: a packet of the largest size takes half a second then. */
  private static final long LEAST_NETWORK = 1L << 17;

  /** In bytes a second: faster links are hardly told from none. */
  private static final long MOST_NETWORK = 128L << 20;

  private static final double MOST_CORES = 1024;
  private static final Duration SHORTEST_LAG = Duration.ofMillis(20);
  private static final Duration LONGEST_LAG = Duration.ofMinutes(1);

  private final Problems problems;
  private final Topology topology;
  private final Set<String> programs;
  private final Map<String, ProcessorLimit> processors = new HashMap<>();
  private final Map<String, Long> memory = new HashMap<>();
  private final Map<String, Long> disks = new HashMap<>();
  private final Map<String, Long> networks = new HashMap<>();
  private final Map<String, SoftLimits> softLimits = new HashMap<>();
  private Map<String, Long> heaps = Map.of();
  private Map<String, Collector> collectors = Map.of();

  /**
   * @param programs the names of the tiers that are programs of the user's own
   */
  LimitReader(Problems problems, Topology topology, Set<String> programs) {
    this.problems = problems;
    this.topology = topology;
    this.programs = programs;
  }

  Map<String, ProcessorLimit> processors() {
    return processors;
  }

  Map<String, Long> memory() {
    return memory;
  }

  Map<String, Long> disks() {
    return disks;
  }

  Map<String, Long> networks() {
    return networks;
  }

  @Override
  public boolean hasMemory(String server) {
    return isNamed(memory, server);
  }

  @Override
  public boolean hasProcessor(String server) {
    return isNamed(processors, server);
  }

  @Override
  public boolean hasDisk(String server) {
    return isNamed(disks, server);
  }

  @Override
  public boolean hasNetwork(String server) {
    return isNamed(networks, server);
  }

  /** Whether a server, or its tier, is among the names. */
  private static boolean isNamed(Map<String, ?> names, String server) {
    return names.containsKey(server) || names.containsKey(server.replaceAll("\\d+$", ""));
  }

  Map<String, SoftLimits> softLimits() {
    return softLimits;
  }

  Map<String, Long> heaps() {
    return heaps;
  }

  Map<String, Collector> collectors() {
    return collectors;
  }

  /** Reads the keys of a specification that are about this. */
  void read(Fields fields) {
    fields.optional(PROCESSOR_LIMITS, (node, key, p) -> perServer(node, key, this::limit));
    heaps =
        fields
            .optional("heap", (n, key, p) -> perServer(n, key, Values.bytes(LEAST_HEAP, MOST_HEAP)))
            .orElse(Map.of());
    Map<String, Collector> words = new TreeMap<>();
    for (Collector collector : Collector.values()) {
      words.put(collector.word(), collector);
    }
    collectors =
        fields
            .optional("collector", (n, key, p) -> perServer(n, key, Values.oneOf(words)))
            .orElse(Map.of());
  }

  private Optional<Boolean> limit(Node node, String name, Problems unused) {
    Optional<Fields> found = Fields.of(node, "the limit of " + name, problems);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = found.get();
    Optional<Double> cores = fields.optional("cpu", Values.positive(MOST_CORES));
    boolean calibrated = fields.optional("calibrated", Values.flag()).orElse(false);
    fields
        .optional("memory", Values.bytes(LEAST_MEMORY, MOST_HEAP))
        .ifPresent(bytes -> memory.put(name, bytes));
    fields
        .optional("disk", Values.bytes(LEAST_DISK, MOST_DISK))
        .ifPresent(bytes -> disks.put(name, bytes));
    fields
        .optional(NETWORK, Values.bytes(LEAST_NETWORK, MOST_NETWORK))
        .ifPresent(bytes -> networks.put(name, bytes));
    Optional<Duration> governor =
        fields.optional("governor", Values.duration(SHORTEST_LAG, LONGEST_LAG));
    SoftLimits soft =
        new SoftLimits(
            count(fields, "threads", SoftLimits.MOST_THREADS),
            count(fields, "pool", SoftLimits.MOST_CONNECTIONS),
            count(fields, "backlog", SoftLimits.MOST_BACKLOG));
    boolean isSoft = fields.has("threads") || fields.has("pool") || fields.has("backlog");
    if (!fields.has("cpu")
        && ((!isSoft && HELD.stream().noneMatch(fields::has))
            || fields.has("calibrated")
            || fields.has("governor"))) {
      problems.add(node, "the limit of " + name + " lacks 'cpu'");
    }
    if (isSoft && !name.startsWith(Tier.APP.label())) {
      problems.add(
          node, "threads, pool and backlog are of application servers, which " + name + " is not");
    }
    if (isSoft) {
      refuseOfProgram(fields.node(), name, "threads, pool and backlog are");
    }
    reportFullDatabase(fields, name, soft);
    fields.finish();
    cores.ifPresent(value -> processors.put(name, new ProcessorLimit(value, calibrated, governor)));
    if (isSoft) {
      softLimits.put(name, soft);
    }
    return Optional.of(isSoft);
  }

  private void refuseOfProgram(Node node, String name, String what) {
    if (programs.stream().anyMatch(tier -> isOf(name, tier))) {
      problems.add(
          node,
          "%s of Terrace's own servers, but %s is a program of its own: say it in tiers, by its command or environment"
              .formatted(what, name));
    }
  }

  private static boolean isOf(String name, String tier) {
    return name.startsWith(tier)
        && name.substring(tier.length()).chars().allMatch(Character::isDigit);
  }

  private void reportFullDatabase(Fields fields, String name, SoftLimits soft) {
    int servers = name.equals(Tier.APP.label()) ? topology.app() : 1;
    long all = (long) soft.pool().orElse(0) * servers;
    if (all > SoftLimits.MOST_CONNECTIONS) {
      problems.add(
          fields.keyNode("pool"),
          "%d application servers with a pool of %d are %d connections, but a database takes %d"
              .formatted(servers, soft.pool().orElse(0), all, SoftLimits.MOST_CONNECTIONS));
    }
  }

  private static OptionalInt count(Fields fields, String key, int most) {
    Optional<Long> value = fields.optional(key, Values.integer(1, most));
    return value.isPresent() ? OptionalInt.of(value.get().intValue()) : OptionalInt.empty();
  }

  /** A value for each tier or server that is named. */
  private <T> Optional<Map<String, T>> perServer(Node node, String key, ValueReader<T> reader) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          Set<String> known = new LinkedHashSet<>();
          for (Tier tier : Tier.values()) {
            if (topology.count(tier) > 0) {
              known.add(tier.label());
            }
          }
          known.addAll(topology.serverNames());
          for (String name : fields.keys()) {
            if (!known.contains(name)) {
              problems.add(fields.keyNode(name), Words.unknown("server or tier", name, key, known));
            }
          }
          if (!key.equals(PROCESSOR_LIMITS)) {
            fields
                .keys()
                .forEach(name -> refuseOfProgram(fields.keyNode(name), name, "'" + key + "' is"));
          }
          return new HashMap<>(fields.all(reader));
        });
  }
}
