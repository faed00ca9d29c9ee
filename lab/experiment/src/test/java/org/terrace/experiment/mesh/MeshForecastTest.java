package org.terrace.experiment.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.experiment.mesh.MeshForecast.Spent;

class MeshForecastTest {
  private static MeshForecast forecast(Keep keep, int left, List<Spent> spent, long present) {
    MeshSpecification mesh = SmallMesh.specification();
    MeshSpecification kept = new MeshSpecification("made-up", mesh.trials(), 2, keep, 1);
    return MeshForecast.of(kept, kept.trials().subList(4 - left, 4), spent, present);
  }

  @Test
  void withoutATrialItGuesses() {
    MeshForecast forecast = forecast(Keep.DEFAULT, 4, List.of(), 0);

    assertThat(forecast.trials()).isEqualTo(4);
    assertThat(forecast.configurations()).isEqualTo(2);
    assertThat(forecast.loads()).isEqualTo(2);
    assertThat(forecast.repeats()).isEqualTo(1);
    assertThat(forecast.done()).isZero();
    assertThat(forecast.seconds())
        .isCloseTo(4 * (10 + MeshForecast.USUAL_OVERHEAD_SECONDS), within(1e-9));
    assertThat(forecast.bytes()).isEqualTo(4 * MeshForecast.USUAL_BYTES);
  }

  @Test
  void withTrialsItGoesByThem() {
    List<Spent> spent = List.of(new Spent(3, 1_000), new Spent(5, 3_000));

    assertThat(forecast(Keep.DEFAULT, 2, spent, 4_000).seconds()).isCloseTo(28, within(1e-9));
    assertThat(forecast(Keep.DEFAULT, 2, spent, 4_000).bytes()).isEqualTo(4_000);
    Keep budget = new Keep(Keep.Packets.NONE, true, 5_000);
    assertThat(forecast(budget, 2, spent, 4_000).bytes()).isEqualTo(1_000);
    assertThat(forecast(budget, 2, spent, 9_000).bytes()).isZero();
  }
}
