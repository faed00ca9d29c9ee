package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names on the disk, whatever moment the power fails in. */
class NamingStoreTest {
  @TempDir private Path directory;
  private final List<String> forced = new ArrayList<>();

  /** Writes down what is forced, and what the file of the names holds at that moment. */
  private void force(FileChannel channel, Path written) throws IOException {
    Path names = directory.resolve("names");
    long held = Files.exists(names) ? incarnation(Files.readAllBytes(names)) : 0;
    forced.add(directory.relativize(written) + " while the names are of " + held);
    channel.force(true);
  }

  private static long incarnation(byte[] bytes) {
    return NamingStore.decode(bytes).incarnation();
  }

  @Test
  void theNewFileIsOnTheDiskBeforeItReplacesTheOldAndTheDirectoryBeforeItCounts() throws Exception {
    NamingStore store = new NamingStore(directory, this::force);
    store.save(StoredNames.fresh(1));
    store.save(StoredNames.fresh(2));

    assertThat(forced)
        .containsExactly(
            "names.unfinished while the names are of 0",
            " while the names are of 1",
            "names.unfinished while the names are of 1",
            " while the names are of 2");
  }

  @Test
  void namesWhoseDirectoryIsNotOnTheDiskAreNotStored() {
    NamingStore store =
        new NamingStore(
            directory,
            (channel, written) -> {
              if (written.equals(directory)) {
                throw new IOException("the directory cannot be forced");
              }
            });
    assertThatThrownBy(() -> store.save(StoredNames.fresh(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the directory cannot be forced");
  }
}
