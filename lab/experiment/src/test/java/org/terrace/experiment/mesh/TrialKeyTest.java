package org.terrace.experiment.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.experiment.TrialOptions;

class TrialKeyTest {
  @TempDir Path directory;

  @Test
  void anotherSpecificationProgramOrMachineIsAnotherKey() {
    PlannedTrial trial = SmallMesh.specification().trials().getFirst();
    PlannedTrial other = SmallMesh.specification().trials().getLast();
    Set<String> keys = new HashSet<>();
    keys.add(TrialKey.of(trial, "a", Map.of("cores", "2", "cpu", "x")));
    keys.add(TrialKey.of(trial, "a", Map.of("cores", "3", "cpu", "x")));
    keys.add(TrialKey.of(trial, "a", Map.of("cores", "2x", "cpu", "")));
    keys.add(TrialKey.of(trial, "b", Map.of("cores", "2", "cpu", "x")));
    keys.add(TrialKey.of(other, "a", Map.of("cores", "2", "cpu", "x")));

    assertThat(keys).hasSize(5).allMatch(key -> key.matches("[0-9a-f]{64}"));
    assertThat(keys)
        .contains(
            TrialKey.of(
                SmallMesh.specification().trials().getFirst(),
                "a",
                Map.of("cpu", "x", "cores", "2")));
  }

  @Test
  void aProgramIsAnotherWhenAByteOrANameOfItIs() throws IOException {
    Path library = Files.createDirectories(directory.resolve("lib")).resolve("a.jar");
    Files.writeString(library, "one");
    String before = digest();
    assertThat(digest()).isEqualTo(before);
    Files.writeString(library, "two");
    String changed = digest();
    Files.writeString(library, "one");
    Files.move(library, library.resolveSibling("b.jar"));
    String renamed = digest();

    assertThat(Set.of(before, changed, renamed)).hasSize(3);
  }

  private String digest() {
    return Programs.digest(
        new TrialOptions(Path.of("java"), directory.resolve("lib") + "/*", "gone/*", "gone"));
  }
}
