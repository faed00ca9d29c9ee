package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.PlantedHouse;

class ProgramsTest {
  private static final String EXTENSION =
      "package org.testing; public class Replay { org.junit.jupiter.api.Test test; }";

  @TempDir Path folder;

  @Test
  void aProgramThatReachesJUnitThroughAHelperIsNamedWithTheWay() throws IOException {
    assertThat(breaches("package org.testing; public class Seeds { Replay replay; }"))
        .containsExactly("org.prove.Main -> org.testing.Seeds -> org.testing.Replay needs JUnit");
  }

  @Test
  void anExtensionThatNoProgramReachesIsRight() throws IOException {
    assertThat(breaches("package org.testing; public class Seeds {}")).isEmpty();
  }

  private List<String> breaches(String seeds) throws IOException {
    return Programs.breachesOf(
        new PlantedHouse(folder)
            .module("testing")
            .module("prove", "testing")
            .main("testing", "package org.junit.jupiter.api; public class Test {}")
            .main("testing", EXTENSION)
            .main("testing", seeds)
            .main("prove", "package org.prove; class Main { org.testing.Seeds seeds; }")
            .build());
  }
}
