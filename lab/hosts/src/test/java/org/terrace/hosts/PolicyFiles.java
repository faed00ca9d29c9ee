package org.terrace.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a clock of the first processor, in a folder, as the kernel lays them out. */
final class PolicyFiles {
  private PolicyFiles() {}

  /** Makes a clock that may be governed or left at its highest; its own folder. */
  static Path governed(Path policies) throws IOException {
    Path policy = Files.createDirectory(policies.resolve("policy0"));
    Files.writeString(policy.resolve("affected_cpus"), "0\n");
    Files.writeString(policy.resolve("scaling_available_governors"), "ondemand performance\n");
    Files.writeString(policy.resolve("scaling_governor"), "ondemand\n");
    return policy;
  }
}
