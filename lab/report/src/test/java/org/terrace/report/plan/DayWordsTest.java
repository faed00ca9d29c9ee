package org.terrace.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.economy.DayGain;
import org.terrace.scaling.economy.DayPlan;

/** The words of a day's gain say whose trials failed, and what was not repeated. */
class DayWordsTest {
  private static final Mesh MESH = SyntheticMesh.mesh(2, 1, 2, 2);

  private static String words(@Nullable Double low, boolean runs, List<Configuration> alone) {
    DayGain gain = new DayGain(100, low, low == null ? null : 150.0, 3, 2, 2, runs, alone);
    DayPlan day = new DayPlan(List.of(), List.of(), 900, null, null, gain, List.of());
    return DayWords.gain(day, "EUR", ConfigurationNames.of(MESH));
  }

  @Test
  void aGainIsToldWithoutAWordOfTrialsThatFailed() {
    assertThat(words(50.0, false, List.of()))
        .startsWith("A day that changes earns more: ")
        .endsWith("allowed for.")
        .doesNotContain("failed");
  }

  @Test
  void theConfigurationWhoseTrialsFailedIsNamed() {
    Configuration small = MESH.planned().getFirst();
    String name = ConfigurationNames.of(MESH).of(small);
    String others = "might earn as much: those of " + name + ".";

    assertThat(words(50.0, false, List.of(small)))
        .startsWith("That a day that changes earns more cannot be told: ")
        .endsWith(others)
        .doesNotContain("what runs then failed");
    assertThat(words(50.0, true, List.of())).endsWith(", and trials of what runs then failed.");
    assertThat(words(50.0, true, List.of(small)))
        .contains("what runs then failed")
        .endsWith(others);
  }

  @Test
  void ofALoadThatWasNotRepeatedItIsNotSaidWhatRanUnderIt() {
    assertThat(words(null, false, List.of()))
        .contains("a load of it, or of one that could run all of it, was not repeated");
  }
}
