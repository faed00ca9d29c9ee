package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The paths and values of version 2 against a folder laid out as the kernel's documentation says;
 * the kernel's own behaviour is not shown here.
 */
class ControlGroupVersion2Test {
  @TempDir Path folder;
  private Path self;
  private Path mount;

  @BeforeEach
  void layOut() throws Exception {
    self = Files.createDirectories(folder.resolve("self"));
    mount = Files.createDirectories(folder.resolve("mount"));
    Files.writeString(
        self.resolve("mountinfo"),
        "41 31 0:38 / %s rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n".formatted(mount));
    Files.writeString(self.resolve("cgroup"), "0::/user.slice/app.scope\n");
    group("", "cpuset cpu memory", "cpu memory");
    group("user.slice", "cpu memory", "cpu");
    group("user.slice/app.scope", "cpu", "");
  }

  private void group(String path, String controllers, String subtree) throws Exception {
    Path group = Files.createDirectories(mount.resolve(path));
    Files.writeString(group.resolve("cgroup.controllers"), controllers + "\n");
    Files.writeString(group.resolve("cgroup.subtree_control"), subtree + "\n");
  }

  @Test
  void candidatesAreTheOwnGroupAndThoseAboveIt() throws Exception {
    assertThat(CpuControllers.candidates(self))
        .containsExactly(
            new CpuController.Version2(mount.resolve("user.slice/app.scope")),
            new CpuController.Version2(mount.resolve("user.slice")),
            new CpuController.Version2(mount));
  }

  @Test
  void aGroupWithoutTheControllerIsNoCandidate() throws Exception {
    group("user.slice/app.scope", "memory", "");
    assertThat(CpuControllers.candidates(self)).hasSize(2);
  }

  @Test
  void inAContainerTheMountShowsAPartOfTheHierarchy() throws Exception {
    Files.writeString(
        self.resolve("mountinfo"),
        "41 31 0:38 /docker/c1 %s rw - cgroup2 cgroup2 rw\n".formatted(mount));
    Files.writeString(self.resolve("cgroup"), "0::/docker/c1/user.slice\n");
    assertThat(CpuControllers.candidates(self).getFirst().parent())
        .isEqualTo(mount.resolve("user.slice"));
  }

  @Test
  void limitAndStatisticsUseTheDocumentedFiles() throws Exception {
    CpuController controller = new CpuController.Version2(mount);
    Path group = Files.createDirectories(mount.resolve("terrace/app1"));
    Files.writeString(group.resolve("cpu.max"), "max 100000\n");
    Files.writeString(
        group.resolve("cpu.stat"),
        "usage_usec 900\nuser_usec 800\nsystem_usec 100\nnr_periods 12\nnr_throttled 5\nthrottled_usec 77\n");

    controller.limit(group, CpuLimit.cores(0.5));

    assertThat(Files.readString(group.resolve("cpu.max"))).startsWith("5000 10000");
    assertThat(controller.throttling(group)).isEqualTo(new CpuThrottling(12, 5, 77_000));
    assertThat(controller.usedNanos(group)).hasValue(900_000);
    assertThat(controller.usedNanos(mount)).isEmpty();
  }

  @Test
  void versionOneCountsTheTimeWhereItsTwoControllersAreMountedTogether() throws Exception {
    CpuController controller = new CpuController.Version1(mount);
    assertThat(controller.usedNanos(mount)).isEmpty();
    Files.writeString(mount.resolve("cpuacct.usage"), "123456789\n");
    assertThat(controller.usedNanos(mount)).hasValue(123_456_789);
  }

  @Test
  void theControllerIsPermittedToChildrenOnce() throws Exception {
    CpuController controller = new CpuController.Version2(mount);
    controller.permitChildren(mount);
    assertThat(Files.readString(mount.resolve("cgroup.subtree_control"))).startsWith("cpu memory");
    Path scope = mount.resolve("user.slice/app.scope");
    controller.permitChildren(scope);
    assertThat(Files.readString(scope.resolve("cgroup.subtree_control"))).startsWith("+cpu");
  }

  @Test
  void whereNothingIsMountedTheWarningSaysWhoCanHelp() throws Exception {
    Files.writeString(self.resolve("mountinfo"), "");
    try (CpuLimits limits = CpuLimits.open(self, false)) {
      assertThat(limits.warning().orElseThrow())
          .contains(
              "without CPU limits", "no control group hierarchy", "whoever runs this machine");
      assertThat(limits.remedy()).isEmpty();
      assertThat(limits.limit("app1", 1)).isEmpty();
    }
  }

  @Test
  void whereTheKernelRefusesTheWarningSaysWhatAndTheCommandThatHelpsCanBeTyped() throws Exception {
    for (String group : List.of("", "user.slice", "user.slice/app.scope")) {
      Path file = mount.resolve(group).resolve("cgroup.subtree_control");
      Files.delete(file);
      Files.createDirectory(file); // which nobody can write to, root neither
    }

    assertRefused("systemd-run", "s a directory");
  }

  @Test
  void inVersionOneOnlyRootCanHelp() throws Exception {
    Path missing = folder.resolve("missing");
    Files.writeString(
        self.resolve("mountinfo"),
        "41 31 0:38 / %s rw - cgroup cgroup rw,cpu,cpuacct\n".formatted(missing));
    Files.writeString(self.resolve("cgroup"), "4:cpu,cpuacct:/\n");

    assertRefused("sudo ./terrace", "there is no " + missing);
  }

  private void assertRefused(String remedy, String reason) {
    try (CpuLimits limits = CpuLimits.open(self, false)) {
      assertThat(limits.warning().orElseThrow())
          .contains("without CPU limits", reason)
          .doesNotContain("Exception", "COMMAND");
      assertThat(limits.remedy().orElseThrow())
          .startsWith("sudo ")
          .contains(remedy)
          .endsWith(" ./terrace run SPECIFICATION");
      assertThat(limits.limit("app1", 1)).isEmpty();
    }
  }
}
