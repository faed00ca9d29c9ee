package org.terrace.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AlignedSamplesTest {
  private static Utilisation cpu(String node, double seconds, int[] slots, double... values) {
    return Utilisation.of(node, "app", "cpu", seconds, slots, values);
  }

  @Test
  void whatHasNoPartnerIsLeftOutAndCounted() {
    AlignedSamples aligned =
        AlignedSamples.of(
            List.of(
                cpu("app1", 1, new int[] {0, 1, 2, 3}, 0.1, 0.9, 0.2, 0.3),
                cpu("app2", 1, new int[] {1, 3, 4}, 0.4, 0.5, 0.8)));

    assertThat(aligned.moments()).isEqualTo(2);
    assertThat(aligned.leftOut()).isEqualTo(3);
    assertThat(aligned.maximum()).containsExactly(0.9, 0.5);
    assertThat(aligned.value(1, 1)).isEqualTo(0.5);
    assertThat(AlignedSamples.of(List.of()).maximum()).isEmpty();
    assertThat(
            AlignedSamples.of(
                    List.of(cpu("app1", 1, new int[] {0}, 1), cpu("app2", 1, new int[] {1}, 1)))
                .moments())
        .isZero();
  }

  @Test
  void ofTwoIntervalsTheLongerIsCompared() {
    AlignedSamples aligned =
        AlignedSamples.of(
            List.of(
                cpu("app1", 0.5, new int[] {0, 1, 2, 5}, 0.25, 0.75, 0.125, 0.625),
                cpu("app2", 1, new int[] {0, 1, 2}, 0.1, 0.2, 0.3)));

    assertThat(aligned.leftOut()).isZero();
    assertThat(aligned.maximum()).containsExactly(0.5, 0.2, 0.625);
  }

  @Test
  void repeatsFollowEachOtherForAllResourcesAlike() {
    MeshTrial first = trial(0, cpu("app1", 1, new int[] {0, 1}, 0.1, 0.2));
    MeshTrial second =
        trial(
            1,
            cpu("app1", 1, new int[] {0, 2}, 0.3, 0.4),
            cpu("app2", 1, new int[] {0, 1, 2}, 0.5, 0.6, 0.7));
    MeshTrial third =
        first.withUtilisation(
            List.of(first.utilisation().getFirst(), cpu("app2", 1, new int[] {1, 2}, 0.8, 0.9)));

    List<Utilisation> joined =
        new MeshCell(second.configuration(), 10, List.of(third, second), FailedTrials.NONE)
            .utilisation();

    assertThat(joined)
        .containsExactly(
            cpu("app1", 1, new int[] {0, 1, 3, 5}, 0.1, 0.2, 0.3, 0.4),
            cpu("app2", 1, new int[] {1, 2, 3, 4, 5}, 0.8, 0.9, 0.5, 0.6, 0.7));
    assertThat(AlignedSamples.of(joined).maximum()).containsExactly(0.8, 0.5, 0.7);
  }

  @Test
  void intervalsThatAreNoneAreRefused() {
    for (int[] slots : new int[][] {{0}, {1, 1}, {-1, 0}, {0, 1 << 24}}) {
      assertThatThrownBy(() -> cpu("app1", 1, slots, 0.1, 0.2)).hasMessageContaining("cpu of app1");
    }
  }

  private static MeshTrial trial(int repeat, Utilisation... utilisation) {
    return new MeshTrial(
        "key" + repeat,
        MeshTrial.Status.DONE,
        new Configuration("1/2/0/1", "postgresql", Map.of(), Map.of()),
        10,
        repeat,
        5,
        List.of(),
        1,
        List.of(utilisation),
        "trials/x");
  }
}
