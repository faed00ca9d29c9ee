package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;

class DiskLimitRefusalTest {
  @Test
  void aMachineWithoutTheControllerIsRefusedWithTheReason(@TempDir Path directory) {
    assertThatThrownBy(() -> DiskLimit.of(List.of(1L), directory))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("slow-disk: storage cannot be held back here")
        .hasMessageContaining("no control groups of version 1 with the blkio controller");
  }
}
