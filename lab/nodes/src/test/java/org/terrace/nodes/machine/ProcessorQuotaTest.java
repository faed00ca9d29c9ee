package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quota of a process, in folders laid out as the kernel's documentation says. */
class ProcessorQuotaTest {
  @TempDir Path folder;
  private Path self;
  private Path mount;

  @BeforeEach
  void layOut() throws IOException {
    self = Files.createDirectories(folder.resolve("self"));
    mount = Files.createDirectories(folder.resolve("mount"));
  }

  private void mountVersion2(String own) throws IOException {
    Files.writeString(
        self.resolve("mountinfo"), "41 31 0:38 / %s rw - cgroup2 cgroup2 rw\n".formatted(mount));
    Files.writeString(self.resolve("cgroup"), "0::" + own + "\n");
  }

  private void mountVersion1(String root, String own) throws IOException {
    Files.writeString(
        self.resolve("mountinfo"),
        "41 31 0:38 %s %s rw - cgroup cgroup rw,cpu,cpuacct\n".formatted(root, mount));
    Files.writeString(self.resolve("cgroup"), "4:cpu,cpuacct:" + own + "\n0::/\n");
  }

  private void write(String group, String file, String value) throws IOException {
    Path at = Files.createDirectories(mount.resolve(group));
    Files.writeString(at.resolve(file), value + "\n");
  }

  @Test
  void theLeastOfTheOwnGroupAndThoseAboveItCounts() throws IOException {
    mountVersion2("/machine/container/run");
    write("machine", "cpu.max", "150000 100000");
    write("machine/container", "cpu.max", "max 100000");
    write("machine/container/run", "cpu.max", "30000 10000");
    write("machine/other", "cpu.max", "1000 10000");

    assertThat(ProcessorQuota.of(self)).hasValue(1.5);
  }

  @Test
  void versionOneHasPeriodAndQuotaInFilesOfTheirOwn() throws IOException {
    mountVersion1("/", "/docker/run");
    write("docker", "cpu.cfs_period_us", "100000");
    write("docker", "cpu.cfs_quota_us", "50000");
    write("docker/run", "cpu.cfs_period_us", "100000");
    write("docker/run", "cpu.cfs_quota_us", "-1");

    assertThat(ProcessorQuota.of(self)).hasValue(0.5);
  }

  @Test
  void inAContainerTheMountIsTheOwnGroup() throws IOException {
    mountVersion1("/docker/run", "/docker/run");
    write("", "cpu.cfs_period_us", "100000");
    write("", "cpu.cfs_quota_us", "250000");

    assertThat(ProcessorQuota.of(self)).hasValue(2.5);
  }

  @Test
  void whereNoneIsSetOrCanBeReadThereIsNone() throws IOException {
    assertThat(ProcessorQuota.of(self)).isEmpty();
    mountVersion2("/run");
    write("run", "cpu.max", "max 100000");
    assertThat(ProcessorQuota.of(self)).isEmpty();
    write("run", "cpu.max", "some words");
    assertThat(ProcessorQuota.of(self)).isEmpty();
  }
}
