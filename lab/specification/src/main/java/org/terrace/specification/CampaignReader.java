package org.terrace.specification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.experiment.Distribution;
import org.terrace.experiment.Topology;
import org.terrace.nodes.fault.Fault;
import org.terrace.specification.Values.Range;

/** Reads the campaigns among faults. Confined to one thread. */
final class CampaignReader {
  static final String KEY = "campaign";

  /** Kinds without a length, or of no server. */
  private static final List<String> NOT_DRAWN = List.of(FaultKinds.CHECKPOINT, FaultKinds.BURST);

  private static final List<String> DRAWN =
      FaultKinds.ALL.stream().filter(kind -> !NOT_DRAWN.contains(kind)).toList();

  private final Problems problems;
  private final Topology topology;
  private final FaultKinds kinds;
  private final Duration run;
  private long nextSeed;

  /**
   * @param seed the seed of the first campaign that has none; the next one's is greater by one
   */
  CampaignReader(Problems problems, Topology topology, FaultKinds kinds, Duration run, long seed) {
    this.problems = problems;
    this.topology = topology;
    this.kinds = kinds;
    this.run = run;
    this.nextSeed = seed;
  }

  /** A campaign at its place in the file, of which nothing is drawn yet. */
  final class Planned {
    private final Campaign campaign;
    private final Node node;

    private Planned(Campaign campaign, Node node) {
      this.campaign = campaign;
      this.node = node;
    }

    /**
     * Adds what it draws to the faults that are there.
     *
     * @param limited tells which servers have the limits that faults stay within
     */
    void draw(PlacedFaults placed, Limited limited) {
      List<Campaign.Drawn> bounded = new ArrayList<>();
      for (Campaign.Drawn each : campaign.kinds()) {
        List<String> servers =
            each.servers().stream()
                .filter(server -> isBounded(each.kind(), server, limited))
                .toList();
        if (servers.isEmpty()) {
          problems.add(node, noneLeft(each));
          return;
        }
        bounded.add(new Campaign.Drawn(each.kind(), servers));
      }
      List<Fault> drawn =
          campaign
              .of(bounded)
              .draw(
                  placed::isFree,
                  (kind, server, when, length) ->
                      FaultReader.lasting(kinds, kind, server, when, length));
      if (drawn.isEmpty()) {
        problems.add(
            node,
            "the campaign draws no fault between %s and %s that finds its server free; let it last longer, or faults come more often ('every')"
                .formatted(Values.print(campaign.from()), Values.print(campaign.to())));
      }
      drawn.forEach(fault -> placed.add(fault, node));
    }

    private static String noneLeft(Campaign.Drawn each) {
      return switch (each.kind()) {
        case FaultKinds.SLOW_DISK ->
            "all servers for a slow-disk of the campaign have a limit of storage, which holds all the time; drop 'disk' from the limits of one of them";
        case FaultKinds.DELAY ->
            "all servers for a delay of the campaign have a limit of the network, whose queue holds all the time; drop 'network' from the limits of one of them";
        default ->
            "no server of the campaign has the limit within which %s would stay; give one to %s, such as 'limits: {%s: {%s}}'"
                .formatted(
                    each.kind(),
                    String.join(" or ", each.servers()),
                    each.servers().getFirst(),
                    each.kind().equals(FaultKinds.MEMORY) ? "memory: 512m" : "cpu: 1");
      };
    }
  }

  /** Tells which servers have a limit. */
  interface Limited {
    boolean hasMemory(String server);

    boolean hasProcessor(String server);

    boolean hasDisk(String server);

    boolean hasNetwork(String server);
  }

  /**
   * Whether a fault that takes a server's memory or processor time finds a bound there, and one
   * that holds back its storage, or its packets, none.
   */
  private boolean isBounded(String kind, String server, Limited limited) {
    return switch (kind) {
      case FaultKinds.MEMORY -> limited.hasMemory(server);
      case FaultKinds.CPU -> kinds.takesOrders(server) || limited.hasProcessor(server);
      case FaultKinds.SLOW_DISK -> !limited.hasDisk(server);
      case FaultKinds.DELAY -> !limited.hasNetwork(server);
      default -> true;
    };
  }

  /** Reads a campaign; empty when it is wrong, which is reported. */
  Optional<Planned> read(Fields entry) {
    Optional<Planned> campaign =
        entry.optional(
            KEY, (node, key, p) -> Fields.of(node, "a campaign", problems).flatMap(this::campaign));
    entry.finish();
    return campaign;
  }

  private Optional<Planned> campaign(Fields fields) {
    Optional<Long> own = fields.optional("seed", Values.seed());
    long seed = own.isPresent() ? own.get() : nextSeed++;
    Duration from =
        fields.optional("from", Values.duration(Duration.ZERO, run)).orElse(Duration.ZERO);
    Duration to = fields.optional("to", Values.duration(FaultReader.SHORTEST, run)).orElse(run);
    Optional<Distribution> every =
        fields.required("every", Values.distribution(FaultReader.LONGEST));
    List<String> of = fields.required("of", Values.list(this::kind)).orElse(List.of());
    Optional<List<String>> on = fields.optional("on", Values.list(this::server));
    ValueReader<Duration> time = Values.duration(FaultReader.SHORTEST, FaultReader.LONGEST);
    Optional<Range<Duration>> lengths = fields.optional("for", Values.range(time));
    Duration quiet =
        fields
            .optional("quiet", Values.duration(Duration.ZERO, FaultReader.LONGEST))
            .orElse(Campaign.USUAL_QUIET);
    Range<Double> shares = Campaign.USUAL_SHARES;
    if (of.contains(FaultKinds.LOSS)) {
      shares = fields.optional("share", Values.range(Values.positive(1))).orElse(shares);
    }
    Range<Long> rates = Campaign.USUAL_RATES;
    if (of.contains(FaultKinds.BANDWIDTH) || of.contains(FaultKinds.SLOW_DISK)) {
      ValueReader<Long> bytes = Values.bytes(FaultReader.LEAST_BYTES, FaultReader.MOST_BYTES);
      rates = fields.optional("rate", Values.range(bytes)).orElse(rates);
    }
    Range<Duration> delays = Campaign.USUAL_DELAYS;
    if (of.contains(FaultKinds.DELAY)) {
      ValueReader<Duration> by = Values.duration(FaultReader.LEAST_DELAY, FaultReader.MOST_DELAY);
      delays = fields.optional("by", Values.range(by)).orElse(delays);
    }
    fields.finish();
    List<Campaign.Drawn> drawn = drawn(fields, of, on);
    if (every.isEmpty() || drawn.isEmpty() || !isPossible(fields, from, to, every.get())) {
      return Optional.empty();
    }
    return Optional.of(
        new Planned(
            new Campaign(seed, from, to, every.get(), drawn, quiet, lengths, shares, rates, delays),
            fields.node()));
  }

  private Optional<String> kind(Node node, String key, Problems unused) {
    String kind = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    if (DRAWN.contains(kind)) {
      return Optional.of(kind);
    }
    if (kind.equals(FaultKinds.CLOCK_STEP)) {
      problems.add(node, FaultKinds.NO_CLOCK_STEP);
      return Optional.empty();
    }
    problems.add(
        node,
        NOT_DRAWN.contains(kind)
            ? "a campaign cannot draw a %s, whose end or whose server it does not choose (expected some of: %s)"
                .formatted(kind, String.join(", ", DRAWN))
            : Words.unknown("fault", kind, "a campaign", DRAWN));
    return Optional.empty();
  }

  private Optional<String> server(Node node, String key, Problems unused) {
    String name = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    if (!kinds.servers(name).isEmpty()) {
      return Optional.of(name);
    }
    Set<String> known = new LinkedHashSet<>(topology.serverNames());
    topology.serverNames().forEach(server -> known.add(server.replaceAll("\\d+$", "")));
    problems.add(node, Words.unknown("server or tier", name, "a campaign", known));
    return Optional.empty();
  }

  /** The kinds with the servers that each may strike. */
  private List<Campaign.Drawn> drawn(Fields fields, List<String> of, Optional<List<String>> on) {
    Set<String> servers = new LinkedHashSet<>();
    on.orElse(topology.serverNames()).forEach(name -> servers.addAll(kinds.servers(name)));
    List<Campaign.Drawn> drawn = new ArrayList<>();
    Set<String> struck = new LinkedHashSet<>();
    for (String kind : new LinkedHashSet<>(of)) {
      List<String> takers =
          servers.stream().filter(each -> kinds.refusal(kind, each).isEmpty()).toList();
      struck.addAll(takers);
      if (takers.isEmpty()) {
        if (servers.isEmpty()) {
          return List.of(); // none of their names was right, which is reported
        }
        problems.add(
            fields.keyNode("of"),
            "no server of the campaign can be struck by %s (its servers: %s)"
                .formatted(kind, String.join(", ", servers)));
        return List.of();
      }
      drawn.add(new Campaign.Drawn(kind, takers));
    }
    servers.removeAll(struck);
    if (on.isPresent() && !drawn.isEmpty() && !servers.isEmpty()) {
      problems.add(
          fields.keyNode("on"),
          "no fault of the campaign can strike %s (its faults: %s)"
              .formatted(String.join(", ", servers), String.join(", ", of)));
      return List.of();
    }
    if (fields.has("of") && of.isEmpty()) {
      problems.add(
          fields.keyNode("of"),
          "a campaign draws some of: " + String.join(", ", DRAWN) + ", but 'of' names none");
    }
    return drawn;
  }

  private boolean isPossible(Fields fields, Duration from, Duration to, Distribution every) {
    if (from.compareTo(to) >= 0) {
      problems.add(
          fields.node(),
          "a campaign from %s to %s has no time".formatted(Values.print(from), Values.print(to)));
      return false;
    }
    Duration least = to.minus(from).dividedBy(Campaign.MOST);
    if (every.mean().compareTo(least) < 0 || every.mean().isZero()) {
      problems.add(
          fields.keyNode("every"),
          "a campaign of %s draws at most %d faults: 'every' has to be %s or more"
              .formatted(Values.print(to.minus(from)), Campaign.MOST, Values.print(least)));
      return false;
    }
    return true;
  }
}
