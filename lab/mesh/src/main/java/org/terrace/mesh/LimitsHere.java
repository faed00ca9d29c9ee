package org.terrace.mesh;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;
import org.terrace.hosts.Target;
import org.terrace.nodes.machine.CpuLimits;
import org.terrace.nodes.machine.DiskLimit;
import org.terrace.nodes.machine.MemoryLimits;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;

/**
 * The check, before a mesh begins, that its machine limits what its node types limit: those that it
 * does not hold back would be others than the results say. Stateless.
 */
final class LimitsHere {
  private LimitsHere() {}

  /**
   * Checks all limits of a mesh.
   *
   * @param target where the servers run
   * @throws TerraceException with the reason of the first kind that this machine does not permit
   */
  static void require(MeshSpecification mesh, Target target) {
    List<Experiment> all = mesh.trials().stream().map(PlannedTrial::experiment).toList();
    target.requireNetworkLimits(
        all.stream()
            .flatMap(each -> each.networkBytesPerSecond().keySet().stream())
            .collect(Collectors.toSet()));
    if (target instanceof Target.Ssh) {
      return; // what other hosts lack they tell themselves
    }
    if (all.stream().anyMatch(each -> !each.cpuLimits().isEmpty())) {
      try (CpuLimits limits = CpuLimits.open()) {
        refuse("processors", limits.warning());
      }
    }
    if (all.stream().anyMatch(each -> !each.memoryBytes().isEmpty())) {
      refuse("memory", MemoryLimits.refusal());
    }
    if (all.stream().anyMatch(each -> !each.diskBytesPerSecond().isEmpty())) {
      refuse("storage", DiskLimit.refusal());
    }
  }

  private static void refuse(String what, Optional<String> refusal) {
    refusal.ifPresent(why -> {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the mesh limits its servers' %s, which this machine does not do: %s\nTake the limits and node types out of the specification, or permit them."
              .formatted(what, why));
    });
  }
}
