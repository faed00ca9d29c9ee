package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Trial;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.specification.PlannedTrial;

/** Answers of meshes whose trials are made up, in real directories. */
@Tag("real-processes")
class MeshRowsTest {
  private static final String BISECTION =
      """
      kind: Mesh
      name: made-up
      topologies: ["0/1/0/1"]
      load: {closed: {users: {from: 10, to: 80, step: 10}, think: exp(1s)}, mix: read-write}
      phases: {run: 10s}
      observe: {packets: false}
      search: bisection
      agreement: {within: 1s, share: 0.95}
      """;

  @TempDir private Path folder;

  /** A service that carries 50 users. */
  private static TrialRow carriesFifty(PlannedTrial trial) {
    return MadeUpTrials.done(trial, trial.users() <= 50 ? 0.99 : 0.5);
  }

  /**
   * Trials fail in one round, and the next finds what is so without them: the failures that it had
   * no need to try again say nothing in its answer.
   */
  @Test
  void theAnswerIsThatOfTheTrialsByWhichTheNextWasChosen() {
    AtomicBoolean busy = new AtomicBoolean(true);
    MeshCommands commands =
        new MeshCommands(
            folder,
            (trial, before) ->
                busy.get() && trial.users() > 20
                    ? MadeUpTrials.failed(trial)
                    : carriesFifty(trial));

    FoundCapacity first = capacity(commands.run(BISECTION));
    assertThat(first.mostUsers()).isEqualTo(20);
    assertThat(first.brokenUsers()).isEqualTo(30);
    assertThat(first.unmeasured()).isTrue();

    busy.set(false);
    MeshResults second = commands.run(BISECTION);

    SearchAnswer answer = second.answer().orElseThrow();
    assertThat(answer.complete()).isTrue();
    assertThat(capacity(second).mostUsers()).isEqualTo(50);
    assertThat(capacity(second).brokenUsers()).isEqualTo(60);
    assertThat(answer.failed()).isZero();
    assertThat(second.mesh().trials())
        .filteredOn(trial -> trial.status() == Status.FAILED)
        .as("what was not tried again is known as failed")
        .isNotEmpty()
        .allMatch(trial -> trial.users() > 20 && trial.failure().equals("the machine was busy"));
    assertThat(MeshFile.readResults(commands.directory().resolve(MeshFile.NAME))).isEqualTo(second);
    int ended = commands.path().size();
    assertThat(commands.run(BISECTION).answer()).contains(answer);
    assertThat(commands.path()).as("nothing is left to run").hasSize(ended);
  }

  /**
   * From the beginning of the next round until it is done, a trial that failed is known as such.
   */
  @Test
  void aTrialThatFailedIsKnownAsFailedUntilItIsDone() {
    String mesh =
        BISECTION
                .replace("[\"0/1/0/1\"]", "[\"0/1/0/1\", \"0/2/0/1\"]")
                .replace("{from: 10, to: 80, step: 10}", "10")
                .split("search:", 2)[0]
            + """
            repeat: 2
            search: full
            prices: {servers: {normal: 1}, requests: {others: {within: 1s, revenue: 0.001}}}
            """;
    AtomicBoolean busy = new AtomicBoolean(true);
    List<MeshResults> seen = new ArrayList<>();
    Path file = folder.resolve("out").resolve(MeshFile.NAME);
    MeshCommands commands =
        new MeshCommands(
            folder,
            (trial, before) -> {
              if (!busy.get()) {
                seen.add(MeshFile.readResults(file));
              }
              return busy.get() && trial.configuration().servers("app") == 2
                  ? MadeUpTrials.failed(trial)
                  : carriesFifty(trial);
            });
    assertThat(file).isEqualTo(commands.directory().resolve(MeshFile.NAME));
    commands.run(mesh);
    busy.set(false);
    MeshResults last = commands.run(mesh);

    assertThat(seen).hasSize(2);
    MeshResults begun = seen.getFirst();
    assertThat(begun.round().number()).isEqualTo(2);
    assertThat(begun.mesh().lost()).hasSize(1);
    assertThat(begun.mesh().lost().getFirst().failed().count()).isEqualTo(2);
    assertThat(begun.mesh().lost().getFirst().failed().reasons())
        .containsExactly("the machine was busy");
    assertThat(begun.answer().orElseThrow().best().getFirst().failing()).hasSize(1);
    assertThat(begun.answer().orElseThrow().failed()).as("in this round").isZero();
    assertThat(last.mesh().trials()).allMatch(MeshTrial::isDone);
    assertThat(last.answer().orElseThrow().best().getFirst().failing()).isEmpty();
  }

  /** The conditions that failed are what the last command found that ran all it had to run. */
  @Test
  void theFileHasTheConditionsThatFailedUntilACommandFindsOthers() {
    MeshCommands commands = new MeshCommands(folder, (trial, before) -> carriesFifty(trial));
    String all = BISECTION.split("search:", 2)[0];
    String mesh = all.replace("{from: 10, to: 80, step: 10}", "[10]");
    String wider = all.replace("{from: 10, to: 80, step: 10}", "[10, 20]");
    Path file = commands.directory().resolve(MeshFile.NAME);

    commands.judging(List.of("one", "two"));
    MeshResults judged = commands.run(mesh);
    assertThat(judged.failedConditions()).containsExactly("one", "two");
    assertThat(judged.hasFailed()).isTrue();
    assertThat(MeshFile.readResults(file)).isEqualTo(judged);

    commands.judging(List.of());
    assertThat(commands.killed(wider, 1, MeshCommands.Kill.AFTER)).isEmpty();
    assertThat(MeshFile.readResults(file).failedConditions()).containsExactly("one", "two");

    assertThat(commands.run(wider).hasFailed()).isFalse();
    assertThat(MeshFile.readResults(file).failedConditions()).isEmpty();
  }

  /** The attempts that do not count chose the one that does: they are told, of all rounds. */
  @Test
  void aTrialThatCountsAtALaterAttemptKeepsWhyTheEarlierOnesDidNot() {
    AtomicBoolean busy = new AtomicBoolean(true);
    String mesh = BISECTION.replace("{from: 10, to: 80, step: 10}", "10").split("search:", 2)[0];
    MeshCommands commands =
        new MeshCommands(
            folder,
            (trial, before) ->
                busy.get()
                    ? MadeUpTrials.failed(trial)
                    : new TrialRow(carriesFifty(trial).trial(), List.of("it was late"), 1, 2));
    MeshTrial failed = commands.run(mesh).mesh().trials().getFirst();
    assertThat(failed.status()).isEqualTo(Status.FAILED);
    assertThat(failed.earlier()).isEmpty();

    busy.set(false);
    MeshResults results = commands.run(mesh);

    MeshTrial done = results.mesh().trials().getFirst();
    assertThat(done.isDone()).isTrue();
    assertThat(done.earlier()).containsExactly("the machine was busy", "it was late");
    assertThat(done.attempts()).isEqualTo(3);
    assertThat(MeshFile.readResults(commands.directory().resolve(MeshFile.NAME)))
        .isEqualTo(results);
    assertThat(commands.run(mesh)).as("read from the trial's folder").isEqualTo(results);
  }

  /** A budget that is made smaller holds at once, though nothing is left to run. */
  @Test
  void aSmallerBudgetHoldsInAMeshThatIsDone() throws IOException {
    MeshCommands commands = new MeshCommands(folder, (trial, before) -> carriesFifty(trial));
    String mesh = BISECTION.replace("{from: 10, to: 80, step: 10}", "10").split("search:", 2)[0];
    MeshTrial done = commands.run(mesh).mesh().trials().getFirst();
    Path capture = commands.directory().resolve(done.folder()).resolve(Trial.CAPTURE_FILE);
    Files.writeString(capture, "p".repeat(2_000_000));
    commands.run(mesh + "keep: {packets: all, budget: 1g}\n");
    assertThat(capture).exists();

    commands.run(mesh + "keep: {packets: all, budget: 1m}\n");

    assertThat(capture).doesNotExist();
    assertThat(commands.told())
        .containsExactly("beyond the budget, deleted: the capture of " + done.key());
    assertThat(commands.path()).as("nothing is run again").hasSize(1);
  }

  /** The key of a trial says which programs it ran: one that saw two of them has none. */
  @Test
  void aProgramThatChangesWhileATrialRunsEndsTheCommandAndTheTrialDoesNotCount()
      throws IOException {
    Path program = Files.writeString(folder.resolve("Shop.java"), "one");
    String mesh =
        """
        kind: Mesh
        name: own
        topologies: ["0/1/0/0"]
        tiers: {app: {command: [java, Shop.java], files: ['%s']}}
        load: {closed: {users: [1, 2], think: exp(1s)}, mix: [{path: /}]}
        phases: {run: 1s}
        """
            .formatted(program);
    AtomicBoolean saved = new AtomicBoolean();
    MeshCommands commands =
        new MeshCommands(
            folder,
            (trial, before) -> {
              TrialRow row = MadeUpTrials.done(trial, 1);
              if (saved.compareAndSet(false, true)) {
                save(program, "another");
              }
              return row;
            });

    assertThatThrownBy(() -> commands.run(mesh))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(program + " has changed")
        .hasMessageContaining("run the command again");

    assertThat(commands.path()).as("no trial has ended").isEmpty();
    assertThat(MeshFile.read(commands.directory().resolve(MeshFile.NAME)).trials())
        .extracting(MeshTrial::status)
        .containsOnly(Status.SKIPPED);
    assertThat(commands.run(mesh).mesh().trials()).hasSize(2).allMatch(MeshTrial::isDone);
    assertThat(commands.path()).hasSize(2);
    assertThat(commands.directory().resolve("trials").toFile().list()).hasSize(2);
  }

  private static void save(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Trials that only change their names count under the new ones, and are not run again. */
  @Test
  void aTrialThatHasAnotherNameByNowCountsUnderThat() {
    String mesh =
        """
        kind: Mesh
        name: made-up
        topologies: ["0/1/0/1"]
        nodeTypes: {a: {cpu: 0.25}, b: {cpu: 0.5}}
        vary: {nodes.app: [a, b]}
        load: {closed: {users: [10], think: exp(1s)}, mix: read-write}
        phases: {run: 10s}
        observe: {packets: false}
        """;
    MeshCommands commands =
        new MeshCommands(
            folder,
            (trial, before) ->
                MadeUpTrials.done(trial, trial.specification().contains("0.25") ? 0.5 : 0.99));
    List<MeshTrial> first = commands.run(mesh).mesh().trials();
    String exchanged =
        mesh.replace("0.25", "1").replace("0.5", "0.25").replace("cpu: 1}", "cpu: 0.5}");
    List<MeshTrial> second = commands.run(exchanged).mesh().trials();

    assertThat(commands.path()).as("nothing is run again").hasSize(2);
    assertThat(second).hasSize(2);
    for (MeshTrial trial : second) {
      MeshTrial measured =
          first.stream().filter(each -> each.key().equals(trial.key())).findFirst().orElseThrow();
      assertThat(trial.classes()).isEqualTo(measured.classes());
      assertThat(trial.configuration()).isNotEqualTo(measured.configuration());
    }
  }

  @Test
  void aRowInWhichNoTrialEndsIsSetAsideToo() throws IOException {
    MeshCommands commands = new MeshCommands(folder, (trial, before) -> carriesFifty(trial));
    MeshTrial done =
        commands.run(BISECTION).mesh().done().stream()
            .filter(trial -> trial.users() == 50)
            .findFirst()
            .orElseThrow();
    int ended = commands.path().size();
    Path row = commands.directory().resolve(done.folder()).resolve(MeshFile.ROW);
    String left = Files.readString(row);
    Files.writeString(row, left.replaceFirst("\"round\"\\s*:\\s*1", "\"round\": 0"));
    assertThat(Files.readString(row)).isNotEqualTo(left);
    commands.run(BISECTION);

    assertThat(commands.path()).hasSize(ended + 1);
    assertThat(commands.told()).anyMatch(text -> text.contains(done.key()));
  }

  /** A file that a crash left empty is named and kept; its trial is run again, and no other. */
  @ParameterizedTest
  @ValueSource(strings = {"", "{\"key\":", "[]", "null"})
  void aDamagedFileIsSetAsideAndItsTrialRunAgain(String left) throws IOException {
    MeshCommands commands = new MeshCommands(folder, (trial, before) -> carriesFifty(trial));
    SearchAnswer answer = commands.run(BISECTION).answer().orElseThrow();
    int ended = commands.path().size();
    Path meshFile = commands.directory().resolve(MeshFile.NAME);
    MeshTrial damaged =
        MeshFile.readResults(meshFile).mesh().done().stream()
            .filter(trial -> trial.users() == 50)
            .findFirst()
            .orElseThrow();
    Path row = commands.directory().resolve(damaged.folder()).resolve(MeshFile.ROW);
    Files.writeString(row, left);
    Files.writeString(meshFile, left);
    MeshCommands.Forecast forecast = commands.forecast(BISECTION);

    assertThat(forecast.most()).as("a dry run says what would be").isPositive();
    assertThat(Files.readString(row)).as("a dry run changes nothing").isEqualTo(left);
    assertThat(forecast.warnings())
        .anyMatch(text -> text.contains(row.toString()))
        .anyMatch(text -> text.contains(meshFile.toString()));
    assertThat(commands.run(BISECTION).answer()).contains(answer);

    assertThat(commands.path()).hasSize(ended + 1);
    assertThat(commands.path().getLast()).startsWith(damaged.configuration().label());
    Path aside = commands.directory().resolve("damaged");
    assertThat(aside.resolve(damaged.key()).resolve(MeshFile.ROW)).hasContent(left);
    assertThat(aside.resolve(MeshFile.NAME)).hasContent(left);
    assertThat(commands.told())
        .anyMatch(text -> text.contains(damaged.key()) && text.contains("damaged"))
        .anyMatch(text -> text.contains(MeshFile.NAME) && text.contains("damaged"));
    assertThat(MeshFile.readResults(meshFile).answer()).contains(answer);
  }

  private static final String GUIDED =
      """
      kind: Mesh
      name: made-up
      topologies: ["0/4/0/1", "0/3/0/1", "0/2/0/1", "0/1/0/1"]
      load: {closed: {users: [40, 20, 10], think: exp(1s)}, mix: read-write}
      phases: {run: 10s}
      observe: {packets: false}
      repeat: 2
      search: guided
      trials: 2
      prices: {servers: {normal: 1}, requests: {others: {within: 1s, revenue: 0.001}}}
      """;

  /** The least load is searched first, and each has trials of its own. */
  @Test
  void eachLoadIsSearchedByItself() {
    MeshCommands commands =
        new MeshCommands(
            folder,
            (trial, before) ->
                MadeUpTrials.done(
                    trial,
                    Math.min(1, 12.0 * trial.configuration().servers("app") / trial.users())));
    MeshCommands.Forecast forecast = commands.forecast(GUIDED);

    MeshResults results = commands.run(GUIDED);

    SearchAnswer answer = results.answer().orElseThrow();
    assertThat(answer.complete()).isTrue();
    assertThat(answer.best()).extracting(FoundBest::users).containsExactly(10, 20, 40);
    assertThat(answer.trials()).isEqualTo(24);
    assertThat(answer.saved()).isEqualTo(24 - commands.path().size());
    assertThat(commands.path()).hasSizeLessThanOrEqualTo(forecast.most());
    assertThat(forecast.most()).isEqualTo(6);
    List<String> loads =
        commands.path().stream()
            .map(label -> label.replaceAll(".*, (\\d+) users.*", "$1"))
            .toList();
    for (String users : List.of("10", "20", "40")) {
      assertThat(Collections.frequency(loads, users)).as(users + " users").isBetween(1, 2);
      assertThat(commands.path().get(loads.indexOf(users)))
          .isEqualTo("0/1/0/1 postgresql, " + users + " users, repeat 1 DONE");
    }
    assertThat(loads).isEqualTo(loads.stream().sorted().toList());
    assertThat(commands.chosen()).hasSameSizeAs(commands.path()).contains("the cheapest first");
  }

  private static FoundCapacity capacity(MeshResults results) {
    return results.answer().orElseThrow().capacities().getFirst();
  }
}
