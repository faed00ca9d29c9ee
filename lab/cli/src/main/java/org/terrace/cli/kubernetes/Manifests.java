package org.terrace.cli.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;

/**
 * The manifests with which Kubernetes runs the servers of an experiment. Stateless; the same
 * experiment and options give the same bytes.
 *
 * <p>See docs/decisions/0507.
 */
public final class Manifests {
  private static final String SEPARATOR = "---\n";

  private Manifests() {}

  /**
   * A file for each object, in the order in which they are applied.
   *
   * @param file how messages call the specification
   * @throws TerraceException if the experiment has what manifests could only get wrong, by name
   */
  public static List<ManifestFile> files(
      String file, Experiment experiment, KubernetesOptions options) {
    Refusals.check(file, experiment, options);
    Names names = Names.of(experiment, options);
    ContainerCommands commands = new ContainerCommands(experiment, names);
    Workloads workloads = new Workloads(experiment, names, commands, options);
    List<ManifestFile> files = new ArrayList<>();
    for (Map<String, Object> tree : trees(experiment, names, commands, workloads)) {
      files.add(ManifestText.file(files.size() + 1, tree));
    }
    String head = ManifestText.comment(new Notes(experiment, names, workloads).lines());
    ManifestFile first = files.getFirst();
    files.set(0, new ManifestFile(first.name(), head + first.text()));
    return files;
  }

  /** All manifests as one text of several documents. */
  public static String text(List<ManifestFile> files) {
    List<String> texts = files.stream().map(ManifestFile::text).toList();
    return String.join(SEPARATOR, texts);
  }

  private static List<Map<String, Object>> trees(
      Experiment experiment, Names names, ContainerCommands commands, Workloads workloads) {
    List<Tier> tiers = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      if (experiment.topology().count(tier) > 0) {
        tiers.addFirst(tier);
      }
    }
    boolean isLoaded = experiment.hasDatabase() && experiment.program(Tier.APP).isEmpty();
    NetworkPolicies policies = new NetworkPolicies(experiment, names);
    List<Map<String, Object>> trees = new ArrayList<>();
    for (Tier tier : tiers) {
      experiment
          .program(tier)
          .flatMap(
              program -> new OwnProgram(experiment, tier, program, names, commands).configuration())
          .ifPresent(trees::add);
    }
    for (Tier tier : tiers) {
      trees.add(policies.of(tier, isLoaded && tier == Tier.DATABASE));
    }
    if (isLoaded) {
      trees.add(policies.ofLoader());
    }
    tiers.forEach(tier -> trees.addAll(workloads.services(tier)));
    tiers.forEach(tier -> trees.add(workloads.workload(tier)));
    if (isLoaded) {
      for (int number = 1; number <= experiment.topology().database(); number++) {
        trees.add(workloads.loader(number));
      }
    }
    return trees;
  }
}
