package org.terrace.databases.ndblike;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  /** All may write to the directories that are looked through. */
  @Test
  void namesThatSomebodyElseGaveStopNothing(@TempDir Path folder) throws Exception {
    Process killed = Keeper.ofThisProcess().start(new ProcessBuilder("sleep", "60"));
    String name = killed.pid() + "." + Keeper.startTicks(killed.pid());
    Files.createDirectory(folder.resolve("terrace-ndb-99999999999999999999.1-a"));
    Files.createDirectory(folder.resolve("terrace-ndb-1.99999999999999999999-b"));
    Files.createDirectory(folder.resolve("terrace-ndb-x"));
    Path left = Files.createDirectory(folder.resolve("terrace-ndb-" + name + "-z"));
    killed.destroyForcibly().waitFor();

    MemoryFolder.deleteLeft(folder);
    MemoryFolder.deleteLeft(folder.resolve("not there"));

    assertThat(left).doesNotExist();
    assertThat(folder.toFile().list()).hasSize(3);
  }
}
