package org.terrace.studies.softstate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.nodes.Node;
import org.terrace.studies.design.StudyContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Figure 5: rogue clients overload three of six replicas. Confined to one thread. */
final class StalenessRun {
  /**
   * The result of a run. Counts are by bin of so many seconds from the start.
   *
   * @param attackFrom when the rogue clients began, in seconds from the start
   * @param attackTo when they had ended
   * @param victims what clients saw that read from the victims alone
   * @param adaptive what clients saw that read from whoever answers fastest
   * @param dropped calls that replicas refused because too many were under way; most were sent
   *     again
   * @param alive servers that ran at the end
   * @param missing acknowledged updates that a replica lacked at the end
   * @param tooMany updates that were there without having been asked for
   * @param gossip the messages of gossip that the replicas counted
   * @param secondsToAgree how long after the load until every replica had everything
   */
  record Result(
      int binSeconds,
      double attackFrom,
      double attackTo,
      Reads victims,
      Reads adaptive,
      long dropped,
      int alive,
      long missing,
      long tooMany,
      GossipRecording gossip,
      double secondsToAgree) {}

  /** Reads of some clients. */
  record Reads(Latency latency, long[] reads, long[] stale, long[] failed) {
    static Reads of(JsonNode json) {
      return new Reads(
          Latency.of(json.path("reads")),
          longs(json.path("readsInBin")),
          longs(json.path("staleInBin")),
          longs(json.path("failedInBin")));
    }

    private static long[] longs(JsonNode array) {
      return array.valueStream().mapToLong(JsonNode::asLong).toArray();
    }
  }

  static final int REPLICAS = 6;
  static final int VICTIMS = 3;
  static final int ROGUES = 128;

  private static final Pattern REFUSED = Pattern.compile("(?m)^\\s*refused (?<count>\\d+)$");

  private final StudyContext context;
  private final CartPrograms programs;
  private final SoftStateParameters parameters;

  StalenessRun(StudyContext context, CartPrograms programs, SoftStateParameters parameters) {
    this.context = context;
    this.programs = programs;
    this.parameters = parameters;
  }

  Result run() throws InterruptedException {
    context.listener().message("figure 5: three of six replicas are overloaded");
    Path folder = context.folder("figure5");
    Map<String, List<String>> commands = new LinkedHashMap<>();
    List<Path> recordings = new ArrayList<>();
    for (int number = 1; number <= REPLICAS; number++) {
      List<String> flags = new ArrayList<>(programs.member(number, REPLICAS));
      flags.addAll(
          List.of("--gossip-ms", "40", "--calls-max", Integer.toString(parameters.queue())));
      Path recording = folder.resolve(CartPrograms.name(number) + ".jfr");
      recordings.add(recording);
      commands.put("figure5-" + CartPrograms.name(number), programs.recordedCart(flags, recording));
    }
    List<Node> nodes = programs.startAll(commands);
    programs.awaitMembers(nodes);
    Path json = folder.resolve("load.json");
    Node rogues = programs.begin("figure5-rogues", programs.cart("CartRogue", rogueFlags()));
    Node load = programs.begin("figure5-load", programs.cart("CartLoad", loadFlags(json)));
    JsonNode summary = programs.finish(load, json, parameters.observe());
    int alive = (int) nodes.stream().filter(Node::isAlive).count();
    programs.stop(List.of(rogues));
    JsonNode attack = JsonMapper.shared().readTree(lastLine(rogues));
    programs.stop(nodes);
    double start = summary.path("startEpochMillis").asDouble();
    return new Result(
        summary.path("binSeconds").asInt(),
        (attack.path("startEpochMillis").asDouble() - start) / 1e3,
        (attack.path("endEpochMillis").asDouble() - start) / 1e3,
        Reads.of(summary.path("watched")),
        Reads.of(summary),
        nodes.stream().mapToLong(StalenessRun::refused).sum(),
        alive,
        summary.path("acknowledgedUpdatesMissing").asLong(),
        summary.path("updatesTooMany").asLong(),
        GossipRecording.read(recordings),
        summary.path("secondsToAgree").asDouble());
  }

  /** The refusals that a server counted until its end; 0 if it did not come to that. */
  private static long refused(Node server) {
    Matcher said = REFUSED.matcher(server.logTail());
    return said.find() ? Long.parseLong(said.group("count")) : 0;
  }

  private static String lastLine(Node node) {
    return node.logTail()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("{"))
        .reduce("{}", (first, second) -> second);
  }

  private List<String> rogueFlags() {
    return List.of(
        "--replicas",
        programs.replicas(VICTIMS),
        "--clients",
        Integer.toString(ROGUES),
        "--after-s",
        seconds(parameters.attackAfter()),
        "--duration-s",
        seconds(parameters.attack()));
  }

  private List<String> loadFlags(Path json) {
    return List.of(
        "--replicas",
        programs.replicas(REPLICAS),
        "--watch",
        IntStream.rangeClosed(1, VICTIMS)
            .mapToObj(CartPrograms::name)
            .collect(Collectors.joining(",")),
        "--clients",
        "8",
        "--think-ms",
        "20",
        "--updates-every-ms",
        "20",
        "--updates-for-s",
        seconds(parameters.attackAfter().plus(parameters.attack())),
        "--duration-s",
        seconds(parameters.observe()),
        "--seed",
        Long.toString(context.study().seed()),
        "--json",
        json.toString());
  }

  private static String seconds(Duration duration) {
    return Long.toString(duration.toSeconds());
  }
}
