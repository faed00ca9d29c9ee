package org.terrace.cli.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;
import org.terrace.nodes.fault.FaultText;
import org.terrace.nodes.setting.ProcessorLimit;

/**
 * The head of all manifests: what is to be done first, and what is not as in the lab. Immutable.
 */
record Notes(Experiment experiment, Names names, Workloads workloads) {
  private static final int MOST_FAULTS = 20;

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s %s, written by terrace deploy for Kubernetes 1.32 or later. Checked against its schemas, not by a cluster."
            .formatted(experiment.name(), experiment.topology()));
    lines.add("");
    lines.addAll(secrets());
    lines.add(
        "Users ask the service %s at port %d."
            .formatted(workloads.entranceName(), experiment.port(workloads.entrance())));
    lines.add("");
    lines.add("Not as in the lab:");
    leftOut().forEach(line -> lines.add("- " + line));
    return lines;
  }

  private List<String> secrets() {
    List<String> secrets = new ArrayList<>();
    if (experiment.hasDatabase()) {
      secrets.add("database");
    }
    if (experiment.program(Tier.APP).isEmpty()) {
      secrets.add("group");
      if (experiment.topology().middleware() > 0) {
        secrets.add("controller");
      }
    }
    List<String> lines = new ArrayList<>();
    if (!secrets.isEmpty()) {
      lines.add("Secrets are not here. Create them first:");
      String namespace = names.namespace().map(name -> " --namespace " + name).orElse("");
      secrets.forEach(what ->
          lines.add(
              "  kubectl%s create secret generic %s --from-literal=secret=\"$(openssl rand -hex 32)\""
                  .formatted(namespace, names.secret(what))));
      lines.add("");
    }
    return lines;
  }

  private List<String> leftOut() {
    List<String> left = new ArrayList<>();
    left.add(
        "load, bursts, phases, fail-if, seed: no users are deployed; send requests from"
            + " elsewhere.");
    List<String> faults = FaultText.ofAll(experiment.faults());
    faults.stream()
        .limit(MOST_FAULTS)
        .forEach(fault -> left.add("faults: " + fault + " is not made."));
    if (faults.size() > MOST_FAULTS) {
      left.add("faults: %d more are not made.".formatted(faults.size() - MOST_FAULTS));
    }
    if (experiment.observe().packets()) {
      left.add(
          "observe.packets: nothing is captured; docs/guide/your-own-system.md has a container for"
              + " it.");
    }
    if (experiment.observe().sessions() > 0) {
      left.add("observe.sessions: no visitor watches the sessions.");
    }
    left.add("observe.sample: resources are read by the cluster's own means.");
    left.addAll(limits());
    left.add("network: addresses are the cluster's, and a server that ends is started again.");
    for (Tier tier : Tier.values()) {
      if (experiment.program(tier).isPresent()) {
        left.add(
            "tiers.%s: it starts in the folder of its files, or else of its image; $TERRACE_JAVA is java on its PATH%s."
                .formatted(
                    tier.label(),
                    experiment.hasDatabase() ? ", and TERRACE_JDBC_PASSWORD is the password" : ""));
      }
    }
    return left;
  }

  private List<String> limits() {
    List<String> left = new ArrayList<>();
    new TreeMap<>(experiment.diskBytesPerSecond())
        .forEach((name, bytes) ->
            left.add(
                "limits.%s.disk: %d bytes a second are no resource of Kubernetes."
                    .formatted(name, bytes)));
    new TreeMap<>(experiment.networkBytesPerSecond())
        .forEach((name, bytes) ->
            left.add(
                "limits.%s.network: %d bytes a second are no resource of Kubernetes."
                    .formatted(name, bytes)));
    for (Map.Entry<String, ProcessorLimit> limit :
        new TreeMap<>(experiment.cpuLimits()).entrySet()) {
      if (limit.getValue().calibrated()) {
        left.add(
            "limits.%s.calibrated: cores are those of the node, however fast."
                .formatted(limit.getKey()));
      }
      limit
          .getValue()
          .governor()
          .ifPresent(
              lag -> left.add("limits.%s.governor: there is none.".formatted(limit.getKey())));
    }
    if (!experiment.cpuLimits().isEmpty() || !experiment.memoryBytes().isEmpty()) {
      left.add(
          "limits: they hold from the start, not from readiness on, so starts may take longer.");
    }
    return left;
  }
}
