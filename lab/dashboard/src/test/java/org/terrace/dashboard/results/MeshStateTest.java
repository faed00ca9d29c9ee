package org.terrace.dashboard.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.results.ResultSummary.State;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.mesh.MeshFile;
import org.terrace.mesh.MeshResults;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.scaling.search.SearchRound;

/** The state of a mesh in the dashboard against whether the command that ran it failed. */
@Tag("real-processes")
class MeshStateTest {
  private static final String SENTENCE = "app 2, 100 users, repeat 1: users p99 > 1ms: it is 2 ms";

  @TempDir private Path folder;

  /** The kinds of results that a command which came to its end leaves. */
  enum Ended {
    WHOLE(false, false, List.of(Status.DONE, Status.DONE)),
    SEARCHED(true, false, List.of(Status.DONE, Status.SKIPPED, Status.SKIPPED)),
    FAILED(false, false, List.of(Status.DONE, Status.FAILED)),
    SEARCHED_AND_FAILED(true, false, List.of(Status.DONE, Status.SKIPPED, Status.FAILED)),
    FAILED_IN_AN_EARLIER_ROUND(true, false, List.of(Status.DONE, Status.FAILED)),
    CONDITION(false, true, List.of(Status.DONE, Status.DONE)),
    SEARCHED_AND_CONDITION(true, true, List.of(Status.DONE, Status.SKIPPED)),
    FAILED_AND_CONDITION(false, true, List.of(Status.DONE, Status.FAILED));

    private final boolean searched;
    private final boolean condition;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is
    private final List<Status> trials;

    Ended(boolean searched, boolean condition, List<Status> trials) {
      this.searched = searched;
      this.condition = condition;
      this.trials = trials;
    }

    private boolean hasToTryAgain() {
      return trials.contains(Status.FAILED) && this != FAILED_IN_AN_EARLIER_ROUND;
    }

    private MeshResults results() {
      return MeshStateTest.results(
          trials,
          searched ? Optional.of(true) : Optional.empty(),
          hasToTryAgain(),
          condition ? List.of(SENTENCE, SENTENCE) : List.of());
    }
  }

  /** Results of trials, of a search that has ended or has not if there was one. */
  private static MeshResults results(
      List<Status> statuses,
      Optional<Boolean> complete,
      boolean toTryAgain,
      List<String> failedConditions) {
    List<MeshTrial> trials = new ArrayList<>();
    for (Status status : statuses) {
      String key = "key" + trials.size();
      trials.add(
          new MeshTrial(
              key,
              status,
              new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of()),
              100,
              trials.size(),
              10,
              List.of(),
              0,
              List.of(),
              "trials/" + key));
    }
    Optional<SearchAnswer> answer =
        complete.map(over ->
            new SearchAnswer(
                SearchMethod.GUIDED,
                over,
                statuses.size(),
                1,
                toTryAgain ? 1 : 0,
                "EUR",
                List.of(),
                List.of(),
                List.of()));
    MeshResults judged =
        new MeshResults(new Mesh("example", Map.of(), trials), new SearchRound(1), answer);
    return new MeshResults(
        judged.mesh(), judged.round(), judged.answer(), judged.over(), failedConditions);
  }

  private ResultSummary shown(MeshResults results) throws IOException {
    Path directory = Files.createDirectories(folder.resolve("served/mesh"));
    Files.writeString(directory.resolve(MeshFile.NAME), MeshFile.toJson(results));
    return new Catalogue(ServedDirectory.open(folder.resolve("served")), TimeSource.system())
        .list(Duration.ofMinutes(1))
        .results()
        .getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void aMeshWhoseCommandEndedHasFailedWhereItsCommandSaysSo(Ended ended) throws IOException {
    MeshResults results = ended.results();

    ResultSummary shown = shown(results);

    assertThat(shown.state())
        .as(shown.reason())
        .isEqualTo(results.hasFailed() ? State.FAILED : State.COMPLETE);
    assertThat(shown.reason().contains("1 trial failed")).isEqualTo(ended.hasToTryAgain());
    assertThat(shown.reason().contains("2 conditions of fail-if failed: " + SENTENCE))
        .isEqualTo(ended.condition);
    assertThat(shown.reason()).doesNotContain("interrupted", "not all");
    assertThat(MeshFile.readResults(folder.resolve("served/mesh").resolve(MeshFile.NAME)))
        .isEqualTo(results);
  }

  @Test
  void aMeshWhoseCommandCameToNoEndHasFailed() throws IOException {
    List<Status> trials = List.of(Status.DONE, Status.SKIPPED);
    for (Optional<Boolean> complete : List.of(Optional.of(false), Optional.<Boolean>empty())) {
      ResultSummary shown = shown(results(trials, complete, false, List.of()));

      assertThat(shown.state()).isEqualTo(State.FAILED);
      assertThat(shown.reason()).isEqualTo("not all trials have been run");
    }
  }

  @Test
  void aMeshIsCompleteOnceItsProgressHasEndedToo() throws IOException {
    MeshResults results = results(List.of(Status.DONE), Optional.empty(), false, List.of());
    shown(results);
    ProgressFile progress =
        ProgressFile.begin(
            folder.resolve("served/mesh"), "mesh", "example", TimeSource.system(), _ -> {});
    progress.phase("running the load");
    progress.end();

    assertThat(shown(results).state()).isEqualTo(State.COMPLETE);

    Path file = folder.resolve("served/mesh").resolve(ProgressFile.NAME);
    List<String> lines = Files.readAllLines(file);
    String killed =
        String.join("\n", lines.subList(0, lines.size() - 1))
            .replaceAll("\"process\":[0-9]+", "\"process\":" + Integer.MAX_VALUE);
    Files.writeString(file, killed + "\n");
    ResultSummary shown = shown(results);

    assertThat(shown.state()).isEqualTo(State.FAILED);
    assertThat(shown.reason()).contains("interrupted").contains("running the load");
  }

  /** A study of scaling out leaves its findings beside the trials to plan with. */
  @Test
  void aStudyIsWhatItsFindingsSayAndWhatItsCommandDoes() throws IOException {
    Path directory = Files.createDirectories(folder.resolve("served/mesh"));
    Path findings = directory.resolve("findings.json");
    String text =
        """
        {"format": "terrace-findings/1", "study": {"title": "x"}, "claims": [{"verdict": "reproduced"}],
         "validity": [{"check": "machine-room", "passed": %s}]}
        """;
    Files.writeString(findings, text.formatted(true));
    MeshResults trials = results(List.of(Status.DONE), Optional.empty(), false, List.of());
    ResultSummary good = shown(trials);
    assertThat(good.kind()).isEqualTo(ResultSummary.Kind.STUDY);
    assertThat(good.state()).isEqualTo(State.COMPLETE);

    Files.writeString(findings, text.formatted(false));
    ResultSummary failed = shown(trials);
    assertThat(failed.state()).isEqualTo(State.FAILED);
    assertThat(failed.reason()).contains("machine-room");

    Files.writeString(findings, text.formatted(true));
    Catalogue catalogue =
        new Catalogue(ServedDirectory.open(folder.resolve("served")), TimeSource.system());
    assertThat(state(catalogue)).isEqualTo(State.COMPLETE);
    ProgressFile progress =
        ProgressFile.begin(directory, "study", "example", TimeSource.system(), _ -> {});
    progress.phase("running trial 3");
    assertThat(state(catalogue)).as("it goes on in its place").isEqualTo(State.RUNNING);

    Path file = directory.resolve(ProgressFile.NAME);
    Files.writeString(
        file,
        Files.readString(file)
            .replaceAll("\"process\":[0-9]+", "\"process\":" + Integer.MAX_VALUE));
    assertThat(state(catalogue)).as("it was killed").isEqualTo(State.FAILED);
  }

  private static State state(Catalogue catalogue) {
    return catalogue.list(Duration.ofMinutes(1)).results().getFirst().state();
  }
}
