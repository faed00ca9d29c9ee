package org.terrace.cli.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.ServerDefaults;
import org.terrace.experiment.Tier;

/**
 * The rules by which a tier is asked by the tier before it, and asks the tier behind. Immutable.
 */
record NetworkPolicies(Experiment experiment, Names names) {
  private static final int DNS_PORT = 53;
  private static final List<String> BOTH = List.of("TCP", "UDP");
  private static final List<String> TCP = List.of("TCP");

  /** The rules of a tier that has servers. */
  Map<String, Object> of(Tier tier, boolean isLoaded) {
    List<Object> ingress = Trees.list();
    List<Object> callers = Trees.list();
    callersOf(tier).forEach(caller -> callers.add(peer(caller.label())));
    if (isLoaded) {
      callers.add(peer(Names.LOADER));
    }
    ingress.add(Trees.map("from", callers, "ports", ports(TCP, experiment.port(tier))));
    List<Object> egress = Trees.list(Trees.map("ports", ports(BOTH, DNS_PORT)));
    for (Tier behind : Tier.values()) {
      if (callersOf(behind).contains(tier)) {
        egress.add(to(behind));
      }
    }
    if (isGroup(tier)) {
      List<Object> group = ports(BOTH, ServerDefaults.GROUP_PORT);
      ingress.add(Trees.map("from", Trees.list(peer(tier.label())), "ports", group));
      egress.add(
          Trees.map(
              "to",
              Trees.list(peer(tier.label())),
              "ports",
              ports(BOTH, ServerDefaults.GROUP_PORT)));
    }
    return policy(names.tier(tier), tier.label(), ingress, egress);
  }

  /** The rules of the jobs that fill databases: nobody asks them. */
  Map<String, Object> ofLoader() {
    return policy(
        names.base() + "-" + Names.LOADER,
        Names.LOADER,
        Trees.list(),
        Trees.list(Trees.map("ports", ports(BOTH, DNS_PORT)), to(Tier.DATABASE)));
  }

  /** Whether the servers of a tier speak with each other. */
  boolean isGroup(Tier tier) {
    return tier == Tier.APP && experiment.program(Tier.APP).isEmpty();
  }

  /** The tiers that ask one: that before it, and programs that are told where the database is. */
  private List<Tier> callersOf(Tier tier) {
    List<Tier> callers = new ArrayList<>();
    if (experiment.topology().count(tier) == 0) {
      return callers;
    }
    for (Tier before : Tier.values()) {
      if (before.compareTo(tier) < 0 && experiment.topology().count(before) > 0) {
        if (nextOf(before) == tier || asksDatabase(before, tier)) {
          callers.add(before);
        }
      }
    }
    return callers;
  }

  private Tier nextOf(Tier tier) {
    for (Tier behind : Tier.values()) {
      if (behind.compareTo(tier) > 0 && experiment.topology().count(behind) > 0) {
        return behind;
      }
    }
    return tier;
  }

  private boolean asksDatabase(Tier before, Tier tier) {
    return tier == Tier.DATABASE
        && experiment.hasDatabase()
        && experiment
            .program(before)
            .filter(program ->
                new OwnProgram(
                        experiment,
                        before,
                        program,
                        names,
                        new ContainerCommands(experiment, names))
                    .usesDatabase())
            .isPresent();
  }

  private Map<String, Object> to(Tier tier) {
    return Trees.map(
        "to", Trees.list(peer(tier.label())), "ports", ports(TCP, experiment.port(tier)));
  }

  private Map<String, Object> peer(String component) {
    return Trees.map("podSelector", Trees.map("matchLabels", names.selector(component)));
  }

  private static List<Object> ports(List<String> protocols, int port) {
    List<Object> ports = Trees.list();
    protocols.forEach(protocol -> ports.add(Trees.map("protocol", protocol, "port", port)));
    return ports;
  }

  private Map<String, Object> policy(
      String name, String component, List<Object> ingress, List<Object> egress) {
    Map<String, Object> policy =
        names.object("networking.k8s.io/v1", "NetworkPolicy", name, component);
    policy.put(
        "spec",
        Trees.map(
            "podSelector",
            Trees.map("matchLabels", names.selector(component)),
            "policyTypes",
            Trees.list("Ingress", "Egress"),
            "ingress",
            ingress,
            "egress",
            egress));
    return policy;
  }
}
