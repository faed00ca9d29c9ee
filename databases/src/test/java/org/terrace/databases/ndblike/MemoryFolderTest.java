package org.terrace.databases.ndblike;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.process.Keeper;
import org.terrace.databases.DirectoryTree;

@Tag("real-processes")
@Tag("untimed")
class MemoryFolderTest {
  @Test
  void whatAKilledProcessLeftIsDeletedAndWhatALivingOneUsesIsNot() throws Exception {
    Process killed = Keeper.ofThisProcess().start(new ProcessBuilder("sleep", "60"));
    String name = "terrace-ndb-" + killed.pid() + "." + Keeper.startTicks(killed.pid()) + "-";
    Path left = Files.createTempDirectory(MemoryFolder.place(), name);
    Files.writeString(left.resolve("file"), "rows");
    Path own = Files.createTempDirectory(MemoryFolder.place(), MemoryFolder.prefix());
    try {
      MemoryFolder.deleteLeft();
      assertThat(left).as("its process lives").exists();

      killed.destroyForcibly().waitFor();
      MemoryFolder.deleteLeft();
      assertThat(left).doesNotExist();
      assertThat(own).exists();
    } finally {
      DirectoryTree.delete(left);
      DirectoryTree.delete(own);
    }
  }
}
