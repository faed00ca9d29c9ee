package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;

/** Control groups that a run left behind, in a folder that stands for the hierarchy. */
class LeftDiskLimitTest {
  @TempDir Path directory;

  @Test
  void whatARunThatDiedLeftBehindIsRemoved() throws Exception {
    Path hierarchy = Files.createDirectory(directory.resolve("blkio"));
    Files.writeString(hierarchy.resolve("blkio.throttle.write_bps_device"), "");
    Path ofTheDead = Files.createDirectory(hierarchy.resolve("terrace-1-1-1"));
    Path ofTheLiving = Files.createDirectory(hierarchy.resolve(GroupFolders.runName(99)));

    assertThatThrownBy(() -> DiskLimit.of(List.of(), hierarchy))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the server has no process");

    assertThat(ofTheDead).doesNotExist();
    assertThat(ofTheLiving).exists();
  }
}
