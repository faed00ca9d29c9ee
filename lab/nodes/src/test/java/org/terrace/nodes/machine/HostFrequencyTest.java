package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's files of a machine that lets its clock be controlled, in a folder. */
class HostFrequencyTest {
  @TempDir Path policies;
  @TempDir Path notes;

  private Optional<HostFrequency> control() {
    return new HostClocks(policies, notes).control(noted::add);
  }

  private final List<Path> noted = new ArrayList<>();

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
    HostFrequency clock = control().orElseThrow();

    assertThat(clock.processor()).isEqualTo(3);
    assertThat(clock.lagging()).isEqualTo("conservative");
    assertThat(clock.share()).isBetween(0.52, 0.54);
    clock.follow();
    assertThat(governor(last)).isEqualTo("conservative");
    clock.keepFastest();
    assertThat(governor(last)).isEqualTo("performance");
    assertThat(noted).hasSize(1).allMatch(Files::exists);
    clock.restore();
    assertThat(governor(last)).isEqualTo("schedutil");
    assertThat(notes).isEmptyDirectory();
    assertThat(governor(other)).isEqualTo("schedutil");
  }

  @Test
  void aMachineWithoutPoliciesOrWithOneGovernorHasNoControl() throws IOException {
    assertThat(control()).isEmpty();
    assertThat(new HostClocks(policies.resolve("missing"), notes).control(noted::add)).isEmpty();
    policy("policy0", "0", "performance");
    assertThat(control()).isEmpty();
  }

  /** A study keeps the clock fast, and a trial of it lets it follow its load. */
  @Test
  void whoGivesTheClockBackGivesItToWhoeverElseWantsIt() throws IOException {
    Path governor = policy("policy0", "0", "conservative performance schedutil");
    HostFrequency study = control().orElseThrow();
    HostFrequency trial = control().orElseThrow();

    study.keepFastest();
    trial.follow();
    assertThat(governor(governor)).isEqualTo("conservative");
    trial.restore();
    assertThat(governor(governor)).isEqualTo("performance");
    study.restore();
    assertThat(governor(governor)).isEqualTo("schedutil");
  }

  /** As two runs of one machine may. */
  @Test
  void whoeverIsLastGivesTheClockBackToWhatItWasBeforeAll() throws IOException {
    Path governor = policy("policy0", "0", "conservative performance schedutil");
    HostFrequency first = control().orElseThrow();
    HostFrequency second = control().orElseThrow();

    first.follow();
    second.follow();
    first.restore();
    assertThat(governor(governor)).isEqualTo("conservative");
    second.restore();
    assertThat(governor(governor)).isEqualTo("schedutil");
    assertThat(notes).isEmptyDirectory();
  }

  @Test
  void theNoteOfARunThatWasKilledIsFollowedAndSaid() throws IOException {
    Path governor = policy("policy0", "0", "conservative performance schedutil");
    control().orElseThrow().follow();
    Path dead = notes.resolve("terrace-governor-4194305-1-1");
    Files.move(noted.getFirst(), dead);

    assertThat(new HostClocks(policies, notes).giveBackLeft())
        .containsExactly(
            "gave %s back the governor schedutil, which a run that was killed had left at conservative"
                .formatted(governor.getParent()));

    assertThat(governor(governor)).isEqualTo("schedutil");
    assertThat(notes).isEmptyDirectory();
    assertThat(new HostClocks(policies, notes).giveBackLeft()).isEmpty();
  }

  @Test
  void aNoteThatLeadsElsewhereOrIsOfAnotherStartOfTheMachineIsNotFollowed() throws IOException {
    Path governor = policy("policy0", "0", "conservative performance schedutil");
    Path elsewhere = Files.writeString(notes.resolve("elsewhere"), "mine\n");
    Path boot = Path.of("/proc/sys/kernel/random/boot_id");
    String now = Files.readString(boot).strip();
    String lines = "ondemand\n%s\n%s\nconservative\n";
    Path outside = notes.resolve("terrace-governor-4194305-1-1");
    Files.writeString(outside, lines.formatted(policies.resolve("../" + elsewhere), now));
    Path old = notes.resolve("terrace-governor-4194305-1-2");
    Files.writeString(old, lines.formatted(governor, "another"));

    assertThat(new HostClocks(policies, notes).giveBackLeft()).isEmpty();

    assertThat(elsewhere).hasContent("mine");
    assertThat(governor(governor)).isEqualTo("schedutil");
    assertThat(old).doesNotExist();
  }
}
