package org.terrace.studies.scaleout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.scaling.Mesh;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.SpecificationReader;

/**
 * The mesh of the study: the settings that claims name, or all, each under every load. It is one
 * mesh, although no product of fields, so that all its trials take turns.
 */
final class ScaleOutMesh {
  private static final String NAME = "scale-out";
  private static final double THOUSAND = 1_000;

  private final ScaleOutParameters parameters;
  private final boolean hasNdbLike;
  private final String network;
  private final long seed;

  /**
   * @param hasNdbLike whether this machine runs SQL nodes and data nodes; else they are left out
   */
  ScaleOutMesh(ScaleOutParameters parameters, boolean hasNdbLike, String network, long seed) {
    this.parameters = parameters;
    this.hasNdbLike = hasNdbLike;
    this.network = network;
    this.seed = seed;
  }

  /** The settings in the order of the paper's sections. */
  List<ScaleOutSetting> settings() {
    Set<ScaleOutSetting> all = new LinkedHashSet<>();
    int apps = parameters.mostApps();
    int most = parameters.mostDatabases();
    int two = Math.min(2, most);
    int twoApps = Math.min(2, apps);
    if (parameters.whole()) {
      for (int app : parameters.apps()) {
        for (int count : parameters.databases()) {
          for (ScaleOutSetting each :
              List.of(
                  ScaleOutSetting.mariaDb(app, count),
                  ScaleOutSetting.postgres(app, count),
                  ScaleOutSetting.lowCost(app, count))) {
            all.add(each);
            all.add(each.first());
          }
          all.add(ScaleOutSetting.mariaDb(app, count).browsed());
        }
      }
    }
    for (int app : new TreeSet<>(List.of(1, twoApps, apps))) {
      all.add(ScaleOutSetting.mariaDb(app, 1));
    }
    all.add(ScaleOutSetting.mariaDb(1, two));
    all.add(ScaleOutSetting.mariaDb(twoApps, two));
    all.add(ScaleOutSetting.mariaDb(twoApps, most));
    all.add(ScaleOutSetting.mariaDb(twoApps, most).first());
    all.add(ScaleOutSetting.postgres(twoApps, 1));
    all.add(ScaleOutSetting.postgres(twoApps, two));
    all.add(ScaleOutSetting.postgres(twoApps, two).first());
    all.add(ScaleOutSetting.postgres(twoApps, 1).direct());
    for (int count : new TreeSet<>(List.of(1, two, Math.min(3, most), most))) {
      all.add(ScaleOutSetting.lowCost(twoApps, count));
      all.add(ScaleOutSetting.lowCost(twoApps, count).first());
    }
    all.add(ScaleOutSetting.mariaDb(twoApps, 1).browsed());
    all.add(ScaleOutSetting.mariaDb(twoApps, most).browsed());
    if (hasNdbLike) {
      all.add(ScaleOutSetting.ndbLike(twoApps, 2));
      all.add(ScaleOutSetting.ndbLike(twoApps, 4));
    }
    return List.copyOf(all);
  }

  /** The mesh to run. */
  MeshSpecification specification() {
    return MeshSpecification.joined(
        NAME, texts().stream().map(text -> SpecificationReader.readMesh(NAME, text)).toList());
  }

  /** A mesh in which no trial was done. */
  Mesh unmeasured() {
    return new Mesh(NAME, Map.of(), List.of());
  }

  /** Specifications that together are the mesh: settings that differ in their topology alone. */
  List<String> texts() {
    Map<Group, List<String>> topologies = new LinkedHashMap<>();
    for (ScaleOutSetting setting : settings()) {
      topologies
          .computeIfAbsent(Group.of(setting), _ -> new ArrayList<>())
          .add("\"" + setting.topology() + "\"");
    }
    List<String> texts = new ArrayList<>();
    topologies.forEach((group, words) -> {
      // Their limits are all that the claims about them need, and lie between the last two loads.
      int loads = parameters.users().size();
      int first = group.isNdbLike() && !parameters.whole() ? Math.max(0, loads - 2) : 0;
      for (int load = first; load < loads; load++) {
        texts.add(text(words, group.strategy(), group.mix(), load));
      }
    });
    return texts;
  }

  /** Settings that differ in their topology alone, and are run under the same loads. */
  private record Group(String strategy, String mix, boolean isNdbLike) {
    static Group of(ScaleOutSetting setting) {
      return new Group(setting.strategy(), setting.mix(), setting.isNdbLike());
    }
  }

  private String text(List<String> topologies, String strategy, String mix, int load) {
    return String.join(
        "\n",
        "kind: Mesh",
        "name: " + NAME,
        "topologies: [" + String.join(", ", topologies) + "]",
        "nodeTypes:",
        node("normal", parameters.nodeMillicores()),
        node(ScaleOutSetting.LOW_COST, parameters.lowCostMillicores()),
        "vary: {%s: [%s], %s: [%s]}"
            .formatted(ScaleOutSetting.REPLICATION, strategy, ScaleOutSetting.MIX, mix),
        "load: {closed: {users: [%d], think: exp(%dms)}}"
            .formatted(parameters.users().get(load), parameters.thinkMillis()),
        "phases: {rampUp: %s, run: %s, rampDown: %s}"
            .formatted(
                millis(parameters.rampUp()),
                millis(parameters.run()),
                millis(parameters.rampDown())),
        "observe: {packets: false, sample: %dms}".formatted(parameters.sampleMillis()),
        "data: {scale: %s}".formatted(parameters.dataPermille() / THOUSAND),
        "repeat: " + parameters.repeats(load),
        "attempts: " + parameters.attempts(),
        "keep: {packets: none, tables: false}",
        "network: " + network,
        "seed: " + seed,
        "");
  }

  private static String node(String type, int millicores) {
    return String.format(
        Locale.ROOT, "  %s: {cpu: %.3f, calibrated: true}", type, millicores / THOUSAND);
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + "ms";
  }
}
