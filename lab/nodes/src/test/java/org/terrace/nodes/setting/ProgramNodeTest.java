package org.terrace.nodes.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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

  @Test
  void anotherHostFindsAProgramOnItsOwnPath() {
    TierProgram program =
        new TierProgram(
            List.of("java", "-version"),
            new TierProgram.Ready(Optional.empty(), OptionalInt.empty(), Duration.ofSeconds(1)),
            Path.of("/"),
            Map.of(),
            List.of(),
            Optional.empty());

    assertThat(command(program, true)).isNotEqualTo("java").endsWith("/java");
    assertThat(command(program, false)).isEqualTo("java");
  }

  private static String command(TierProgram program, boolean here) {
    return ProgramNode.of("app1", program, here, Map.of(), "10.0.0.1", 80).command().getFirst();
  }
}
