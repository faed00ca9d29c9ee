package org.terrace.mesh;

import java.util.Map;
import java.util.TreeMap;
import org.terrace.experiment.TrialOptions;
import org.terrace.hosts.Target;
import org.terrace.nodes.machine.MachineFacts;
import org.terrace.specification.PlannedTrial;

/**
 * The things that a trial depends on beside its specification. Immutable.
 *
 * @param programs the digest of the programs that trials start
 * @param machine the facts of the machine that decide what a trial measures, by name; figures are
 *     only compared with it
 */
record Surroundings(String programs, Map<String, String> machine) {
  /** Reads the programs and looks at the machine. */
  static Surroundings of(TrialOptions options) {
    MachineFacts facts = MachineFacts.ofThisMachine();
    Map<String, String> named = new TreeMap<>();
    named.put("cores", Integer.toString(facts.cores()));
    named.put("memoryBytes", Long.toString(facts.memoryBytes()));
    named.put("cpu", facts.cpu());
    named.put("kernel", facts.kernel());
    named.put("java", facts.java());
    if (!(options.target() instanceof Target.Local)) {
      // As it was before there were targets, so that a trial of an older mesh is still the same.
      named.put("target", options.target().toString());
    }
    return new Surroundings(Programs.digest(options), named);
  }

  String key(PlannedTrial trial) {
    return TrialKey.of(trial, programs, machine);
  }
}
