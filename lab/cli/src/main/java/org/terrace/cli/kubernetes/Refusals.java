package org.terrace.cli.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;
import org.terrace.nodes.setting.WebServer;

/** Refusals of what a specification has and its manifests could only get wrong. Stateless. */
final class Refusals {
  /** A name of a service has 63 characters, and ends with {@code -middleware-99} or the like. */
  private static final int LONGEST_NAME = 40;

  private Refusals() {}

  /**
   * Checks that manifests can be made.
   *
   * @param file how messages call the specification
   * @throws TerraceException with all that is refused, by the name of its field
   */
  static void check(String file, Experiment experiment, KubernetesOptions options) {
    List<String> reasons = new ArrayList<>();
    if (experiment.name().length() > LONGEST_NAME
        || !Character.isLetter(experiment.name().charAt(0))) {
      reasons.add(
          "name: '%s' begins the names of services, so it has to begin with a letter and have at most %d characters"
              .formatted(experiment.name(), LONGEST_NAME));
    }
    if (experiment.web() == WebServer.APACHE && experiment.topology().web() > 0) {
      reasons.add("web: apache is not in the image of Terrace; use web: proxy");
    }
    if (experiment.isNdbLike()) {
      reasons.add("database: ndb-like has no image here; use postgresql");
    }
    boolean ofBoard = experiment.program(Tier.APP).isEmpty();
    if (ofBoard && experiment.database().equals(Experiment.MARIADB)) {
      reasons.add(
          "database: mariadb is not filled in one transaction, so that nobody can tell when it has"
              + " been filled; use postgresql");
    }
    for (Tier tier : Tier.values()) {
      if (experiment.program(tier).isPresent() && !options.images().containsKey(tier.label())) {
        reasons.add(
            "tiers: the program of %s is in no image of Terrace's; name yours by --image %s=IMAGE"
                .formatted(tier.label(), tier.label()));
      }
    }
    ofSingleServers(experiment)
        .forEach(name ->
            reasons.add(
                "limits: %s has limits of its own, and the pods of a tier are alike; give them to the tier"
                    .formatted(name)));
    if (!reasons.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file + " cannot be deployed to Kubernetes:\n  " + String.join("\n  ", reasons));
    }
  }

  /** The servers with limits, heaps or collectors that are not those of their whole tier. */
  private static Set<String> ofSingleServers(Experiment experiment) {
    Set<String> tiers = new TreeSet<>();
    for (Tier tier : Tier.values()) {
      tiers.add(tier.label());
    }
    Set<String> servers = new TreeSet<>();
    List<Map<String, ?>> all =
        List.of(
            experiment.cpuLimits(),
            experiment.memoryBytes(),
            experiment.softLimits(),
            experiment.heapBytes(),
            experiment.collectors());
    all.forEach(map -> servers.addAll(map.keySet()));
    servers.removeAll(tiers);
    return servers;
  }
}
