package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.nodes.machine.MemoryGroup.KernelFiles;

/** Files that look like the kernel's of each version and configuration. */
class MemoryGroupFilesTest {
  private static final long LIMIT = 64 << 20;

  @TempDir private Path group;

  private Path kernelFile(String name) throws IOException {
    return Files.createFile(group.resolve(name));
  }

  @Test
  void whereSwapIsCountedTheLimitIsOfBoth() throws IOException {
    Path limit = kernelFile("memory.limit_in_bytes");
    Path withSwap = kernelFile("memory.memsw.limit_in_bytes");
    Path swappiness = kernelFile("memory.swappiness");

    KernelFiles.VERSION_1.set(group, LIMIT);

    assertThat(limit).hasContent("67108864");
    assertThat(withSwap).hasContent("67108864");
    assertThat(swappiness).isEmptyFile();
  }

  @Test
  void whereSwapIsNotCountedNothingIsSwapped() throws IOException {
    Path limit = kernelFile("memory.limit_in_bytes");
    Path swappiness = kernelFile("memory.swappiness");

    KernelFiles.VERSION_1.set(group, LIMIT);

    assertThat(limit).hasContent("67108864");
    assertThat(swappiness).hasContent("0");
  }

  @Test
  void inVersion2SwapHasALimitOfItsOwn() throws IOException {
    Path limit = kernelFile("memory.max");
    Path swap = kernelFile("memory.swap.max");

    KernelFiles.VERSION_2.set(group, LIMIT);

    assertThat(limit).hasContent("67108864");
    assertThat(swap).hasContent("0");
  }
}
