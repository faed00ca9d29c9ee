package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;

class DiskLimitRefusalTest {
  @Test
  void whatCannotBeLimitedIsKnownBeforeAnyServer(@TempDir Path directory) throws IOException {
    assertThat(DiskLimit.refusal(directory))
        .hasValueSatisfying(why -> assertThat(why).contains("blkio controller in " + directory));
    Files.createFile(directory.resolve("blkio.throttle.write_bps_device"));
    assertThat(DiskLimit.refusal(directory)).isEmpty();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).as("no group is left").hasSize(1);
    }
  }

  @Test
  void aMachineWithoutTheControllerIsRefusedWithTheReason(@TempDir Path directory) {
    assertThatThrownBy(() -> DiskLimit.of(List.of(1L), directory))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("slow-disk: storage cannot be held back here")
        .hasMessageContaining("no control groups of version 1 with the blkio controller");
  }
}
