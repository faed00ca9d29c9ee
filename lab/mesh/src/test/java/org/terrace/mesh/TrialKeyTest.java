package org.terrace.mesh;

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
import org.terrace.specification.PlannedTrial;
import org.terrace.specification.SpecificationReader;

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

  @Test
  void aProgramOfOnesOwnIsAnotherWhenAFileOfItsIs() throws IOException {
    Path file = Files.writeString(directory.resolve("Shop.java"), "one");
    String before = ownKey();
    assertThat(ownKey()).isEqualTo(before);
    Files.writeString(file, "two");
    assertThat(ownKey()).isNotEqualTo(before);
  }

  private String ownKey() {
    String specification =
        """
        kind: Mesh
        name: own
        topologies: ["0/1/0/0"]
        tiers: {app: {command: [java, Shop.java], files: [Shop.java]}}
        load: {closed: {users: 1, think: exp(1s)}, mix: [{path: /}]}
        phases: {run: 1s}
        """;
    PlannedTrial trial =
        SpecificationReader.readMesh(directory.resolve("own.yaml").toString(), specification)
            .trials()
            .getFirst();
    assertThat(trial.specification()).contains("directory: " + directory);
    return TrialKey.of(trial, "a", Map.of());
  }

  private String digest() {
    return Programs.digest(
        new TrialOptions(Path.of("java"), directory.resolve("lib") + "/*", "gone/*", "gone"));
  }
}
