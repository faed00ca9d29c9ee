package org.terrace.nodes.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProgramNodeTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");

  @Test
  void aProgramIsFoundInTheFirstFolderThatHasIt() {
    assertThat(ProgramNode.find("java", "/nowhere:" + JAVA)).contains(JAVA.resolve("java"));
    assertThat(ProgramNode.find("java", "/nowhere")).isEmpty();
    assertThat(ProgramNode.find("bin", JAVA.getParent().toString())).as("a folder").isEmpty();
    assertThat(ProgramNode.find("../bin/java", JAVA.toString())).as("a path").isEmpty();
  }
}
