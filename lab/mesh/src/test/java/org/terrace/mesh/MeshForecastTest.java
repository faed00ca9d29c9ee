package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.mesh.MeshForecast.Spent;
import org.terrace.scaling.search.SearchRules;
import org.terrace.specification.Keep;
import org.terrace.specification.MeshSpecification;

class MeshForecastTest {
  private static MeshForecast forecast(Keep keep, int left, List<Spent> spent, long present) {
    return forecast(keep, left, left, spent, present);
  }

  private static MeshForecast forecast(
      Keep keep, int left, int most, List<Spent> spent, long present) {
    MeshSpecification mesh = SmallMesh.specification();
    MeshSpecification kept =
        new MeshSpecification("made-up", mesh.trials(), 2, keep, 1, SearchRules.ALL);
    return MeshForecast.of(kept, kept.trials().subList(4 - left, 4), most, spent, present);
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
  void aSearchTakesNoMoreThanItsTrials() {
    MeshForecast forecast = forecast(Keep.DEFAULT, 4, 1, List.of(new Spent(2, 1_000)), 0);

    assertThat(forecast.most()).isEqualTo(1);
    assertThat(forecast.seconds()).isCloseTo(12, within(1e-9));
    assertThat(forecast.bytes()).isEqualTo(1_000);
    assertThat(forecast.order()).hasSize(4);
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
