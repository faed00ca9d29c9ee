package org.terrace.studies.softstate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.terrace.nodes.Node;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.softstate.PetRun.Spread;
import tools.jackson.databind.JsonNode;

/** Figures 6 to 8: the pet store. Confined to one thread. */
final class PetRuns {
  /** The six services with work to do. */
  static final List<String> SERVICES =
      List.of("cpu-small", "cpu-large", "io-small", "io-large", "cpu-io-small", "cpu-io-large");

  static final String ALL = "all";
  static final Spread BASELINE = new Spread(1, false, false);
  static final Spread HEDGED = new Spread(1, true, true);

  private static final Spread ONE = new Spread(1, true, false);
  private static final Spread TWO = new Spread(2, true, false);
  private static final int ALL_SERVICES = 7;
  static final int CPU_MICROS = 500;
  static final int WRITES = 1;

  private final StudyContext context;
  private final CartPrograms programs;
  private final SoftStateParameters parameters;
  private final List<PetRun> runs = new ArrayList<>();

  PetRuns(StudyContext context, CartPrograms programs, SoftStateParameters parameters) {
    this.context = context;
    this.programs = programs;
    this.parameters = parameters;
  }

  List<PetRun> run() throws InterruptedException {
    TreeSet<Integer> groups = new TreeSet<>(parameters.replicas());
    groups.add(1);
    groups.add(parameters.petStore());
    for (int replicas : groups) {
      context
          .listener()
          .message("figures 6 to 8: the pet store with replicas: %d".formatted(replicas));
      List<Node> nodes = start(replicas);
      if (parameters.replicas().contains(replicas)) {
        for (String service : SERVICES) {
          load(6, service, replicas, ONE, 1, 2, 40);
        }
      }
      if (replicas == 1 || replicas == parameters.petStore()) {
        load(7, ALL, replicas, TWO, ALL_SERVICES, 4, 50);
      }
      if (replicas == parameters.petStore()) {
        figure8(replicas);
      }
      programs.stop(nodes);
    }
    return runs;
  }

  private void figure8(int replicas) throws InterruptedException {
    for (int services : parameters.servicesAPage()) {
      load(8, ALL, replicas, BASELINE, services, 4, 50);
      for (int redundancy : parameters.redundancy()) {
        load(8, ALL, replicas, new Spread(redundancy, true, false), services, 4, 50);
      }
      load(8, ALL, replicas, HEDGED, services, 4, 50);
    }
  }

  private List<Node> start(int replicas) throws InterruptedException {
    Path folder = context.folder("petstore");
    Map<String, List<String>> commands = new LinkedHashMap<>();
    for (int number = 1; number <= replicas; number++) {
      List<String> flags = new ArrayList<>(programs.member(number, replicas));
      flags.addAll(
          List.of(
              "--cpu-micros",
              Integer.toString(CPU_MICROS),
              "--writes",
              Integer.toString(WRITES),
              "--directory",
              folder.toString(),
              "--seed",
              Long.toString(context.study().seed())));
      commands.put(
          "petstore%d-%s".formatted(replicas, CartPrograms.name(number)),
          programs.petStore("PetStoreServer", flags));
    }
    return programs.startAll(commands);
  }

  private void load(
      int figure, String service, int replicas, Spread spread, int services, int clients, int pause)
      throws InterruptedException {
    String name =
        "figure%d-%s-%d-%d-%s"
            .formatted(figure, service, replicas, services, spread.label().replaceAll("\\W+", ""));
    context.listener().progress(name);
    List<String> flags =
        List.of(
            "--replicas",
            programs.replicas(replicas),
            "--services",
            service,
            "--services-a-page",
            Integer.toString(services),
            "--clients",
            Integer.toString(clients),
            "--pause-ms",
            Integer.toString(pause),
            "--k",
            Integer.toString(spread.redundancy()),
            "--discovery",
            spread.adaptive() ? "adaptive" : "first-reply",
            "--hedge-share",
            spread.hedged() ? "0.1" : "0",
            "--warm-up-s",
            Long.toString(parameters.warmUp().toSeconds()),
            "--seed",
            Long.toString(context.study().seed()));
    List<JsonNode> summaries =
        Repetitions.untilEnough(
            "pages",
            parameters.petMeasure(),
            (times, lasts) -> measure(name + Repetitions.suffix(times), flags, lasts));
    runs.add(
        summaries.stream()
            .map(summary -> PetRun.of(figure, service, replicas, spread, summary))
            .reduce((before, last) -> last.withFailuresOf(before))
            .orElseThrow());
  }

  private JsonNode measure(String name, List<String> flags, Duration lasts)
      throws InterruptedException {
    Path json = context.folder("petstore").resolve(name + ".json");
    List<String> all = new ArrayList<>(flags);
    all.addAll(
        List.of("--duration-s", Long.toString(lasts.toSeconds()), "--json", json.toString()));
    return programs.load(
        name, programs.petStore("PetStoreLoad", all), json, parameters.warmUp().plus(lasts));
  }
}
