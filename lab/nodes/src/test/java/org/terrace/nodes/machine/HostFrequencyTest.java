package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's files of a machine that lets its clock be controlled, in a folder. */
class HostFrequencyTest {
  @TempDir Path policies;

  private Path policy(String name, String processors, String governors) throws IOException {
    Path policy = Files.createDirectories(policies.resolve(name));
    Files.writeString(policy.resolve("affected_cpus"), processors + "\n");
    Files.writeString(policy.resolve("scaling_available_governors"), governors + "\n");
    Files.writeString(policy.resolve("scaling_governor"), "schedutil\n");
    Files.writeString(policy.resolve("scaling_cur_freq"), "1197000\n");
    Files.writeString(policy.resolve("cpuinfo_max_freq"), "2261000\n");
    return policy.resolve("scaling_governor");
  }

  /** The kernel takes what is written as a whole, where a file keeps what was longer. */
  private static String governor(Path file) throws IOException {
    return Files.readAllLines(file).getFirst();
  }

  @Test
  void theLastProcessorFollowsItsLoadKeepsItsFastestAndIsGivenBack() throws IOException {
    Path other = policy("policy0", "0 1", "ondemand performance schedutil");
    Path last = policy("policy2", "2 3", "ondemand conservative performance schedutil");
    HostFrequency clock = HostFrequency.of(policies).orElseThrow();

    assertThat(clock.processor()).isEqualTo(3);
    assertThat(clock.lagging()).isEqualTo("conservative");
    assertThat(clock.share()).isBetween(0.52, 0.54);
    clock.follow();
    assertThat(governor(last)).isEqualTo("conservative");
    clock.keepFastest();
    assertThat(governor(last)).isEqualTo("performance");
    clock.restore();
    assertThat(governor(last)).isEqualTo("schedutil");
    assertThat(governor(other)).isEqualTo("schedutil");
  }

  @Test
  void aMachineWithoutPoliciesOrWithOneGovernorHasNoControl() throws IOException {
    assertThat(HostFrequency.of(policies)).isEmpty();
    assertThat(HostFrequency.of(policies.resolve("missing"))).isEmpty();
    policy("policy0", "0", "performance");
    assertThat(HostFrequency.of(policies)).isEmpty();
  }
}
