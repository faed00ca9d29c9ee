package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.specification.PlannedTrial;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * Searches over made-up trials, of which many fail, killed at random points: they take the path of
 * those that were not, and end with the same answer after as many commands that were let end.
 */
@Tag("real-processes")
@Tag("untimed")
class KilledSearchTest {
  private static final int SERVICES = Depth.of(3, 1);
  private static final int COMMANDS = Depth.of(3, 1);

  @TempDir private Path folder;

  private static String text(SearchMethod method) {
    return """
    kind: Mesh
    name: made-up
    topologies: ["0/{1..5}/0/1"]
    load: {closed: {users: [10, 20, 30, 40, 50], think: exp(1s)}, mix: read-write}
    phases: {run: 10s}
    observe: {packets: false}
    repeat: 2
    search: %s
    """
            .formatted(method.word())
        + switch (method) {
          case BISECTION -> "agreement: {within: 1s, share: 0.95}\n";
          case FULL -> prices();
          case GUIDED, IMPROVEMENT, RANDOM -> "trials: 6\n" + prices();
        };
  }

  private static String prices() {
    return "prices: {servers: {normal: 1}, requests: {others: {within: 1s, revenue: 0.001}}}\n";
  }

  /** A service of which a trial fails or not, by its seed and how often it was tried before. */
  private static TrialRow outcome(long service, PlannedTrial trial, int before) {
    SplittableRandom random =
        new SplittableRandom(service ^ trial.label().hashCode() * 31L + 7L * before);
    int carried = 15 * trial.configuration().servers("app");
    return random.nextDouble() < 0.4
        ? MadeUpTrials.failed(trial)
        : MadeUpTrials.done(
            trial, Math.min(1, carried / (double) trial.users()) - 0.02 * random.nextDouble());
  }

  static Stream<SearchMethod> methods() {
    return Stream.of(SearchMethod.values())
        .filter(method -> Depth.of(1, 0) > 0 || method == SearchMethod.GUIDED);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void aKilledSearchTakesThePathOfOneThatWasNot(SearchMethod method) {
    RandomGenerator random = Seeds.generator(Seeds.next("KilledSearchTest." + method));
    for (int i = 0; i < SERVICES; i++) {
      long service = random.nextLong();
      MeshCommands whole =
          new MeshCommands(
              folder.resolve(method + "whole" + i),
              (trial, before) -> outcome(service, trial, before));
      MeshCommands killed =
          new MeshCommands(
              folder.resolve(method + "killed" + i),
              (trial, before) -> outcome(service, trial, before));
      for (int command = 1; command <= COMMANDS; command++) {
        List<String> kills = new ArrayList<>();
        SearchAnswer expected = whole.run(text(method)).answer().orElseThrow();
        Optional<MeshResults> results = Optional.empty();
        while (results.isEmpty()) {
          int trial = 1 + random.nextInt(random.nextInt(4) == 0 ? 100 : 6);
          MeshCommands.Kill moment =
              MeshCommands.Kill.values()[random.nextInt(MeshCommands.Kill.values().length)];
          kills.add(moment + " trial " + trial);
          results = killed.killed(text(method), trial, moment);
        }
        assertThat(killed.path())
            .as("command %d of service %d, killed %s", command, service, kills)
            .isEqualTo(whole.path());
        assertThat(results.get().answer()).contains(expected);
      }
    }
  }
}
