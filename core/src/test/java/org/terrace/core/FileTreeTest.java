package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
  @TempDir private Path folder;

  @Test
  void allBelowIsDeletedAndNothingThatALinkPointsTo() throws IOException {
    Path kept = Files.writeString(folder.resolve("kept"), "text");
    Path tree = Files.createDirectories(folder.resolve("a/b/c")).getParent();
    Files.writeString(tree.resolve("file"), "text");
    Files.createSymbolicLink(tree.resolve("link"), kept);

    FileTree.delete(folder.resolve("a"));

    assertThat(folder.resolve("a")).doesNotExist();
    assertThat(kept).hasContent("text");
  }

  @Test
  void whatIsNotThereIsNoFault() throws IOException {
    FileTree.delete(folder.resolve("never"));
    assertThat(folder.resolve("never")).doesNotExist();
  }
}
