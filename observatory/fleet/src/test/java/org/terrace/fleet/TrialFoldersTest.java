package org.terrace.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.FileTree;
import org.terrace.core.TerraceException;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Depth;

/** The folders that a writer leaves that is ended between any two steps of its publication. */
class TrialFoldersTest {
  private static final long START = 1_790_000_000_000_000_000L;

  @TempDir Path folder;

  @Test
  void aTrialWhoseWriterWasEndedIsNotThereOrIsWhole() throws IOException {
    int steps = endedAfter(folder.resolve("none"), 0, false);
    for (int made : moments(steps)) {
      Path fleet = folder.resolve("added-" + made);
      endedAfter(fleet, made, false);

      if (made < steps) {
        assertThatThrownBy(() -> FleetReader.trials(FleetStorage.of(fleet)))
            .hasMessageContaining("expected a data set of trials");
        FleetWriter.add(fleet, "shop", of("newer"), false);
        assertNothingElseIsIn(fleet);
      }
      assertIs("newer", fleet);
    }
  }

  /**
   * The numbers of steps after which it is ended: each, or in the short build some and the last.
   */
  private static List<Integer> moments(int steps) {
    return IntStream.rangeClosed(0, steps)
        .filter(made -> made % Depth.of(1, 5) == 0 || made == steps)
        .boxed()
        .toList();
  }

  @Test
  void aTrialWhoseReplacementWasEndedComesBackOrIsReplaced() throws IOException {
    int steps = endedAfter(folder.resolve("none"), 0, true);
    for (int made : moments(steps)) {
      Path fleet = folder.resolve("replaced-" + made);
      endedAfter(fleet, made, true);

      if (made == 0) {
        assertIs("older", fleet);
      } else if (made == steps) {
        assertIs("newer", fleet);
      } else {
        assertThatThrownBy(() -> FleetReader.trials(FleetStorage.of(fleet)))
            .isInstanceOf(TerraceException.class)
            .hasMessageContaining("[shop] are being replaced")
            .hasMessageContaining("repeat it with --replace");
      }
      assertThatThrownBy(() -> FleetWriter.add(fleet, "shop", of("newest"), false))
          .hasMessageContaining("there is a trial shop already");
      assertIs(made == steps ? "newer" : "older", fleet);
      assertNothingElseIsIn(fleet);
    }
  }

  @Test
  void theNextExportOfAnyTrialRemovesWhatWasLeft() throws IOException {
    int steps = endedAfter(folder.resolve("none"), 0, true);
    for (int made : List.of(0, 1, steps / 2, steps - 1).subList(Depth.of(0, 2), 4)) {
      Path fleet = folder.resolve("any-" + made);
      endedAfter(fleet, made, true);

      FleetWriter.add(fleet, "other", of("other"), false);

      FleetStorage storage = FleetStorage.of(fleet);
      assertThat(FleetReader.trials(storage)).containsExactly("other", "shop");
      assertThat(FleetReader.files(storage, "shop"))
          .extracting(FleetFile::server)
          .contains("older");
      assertFiles(14, fleet);
    }
  }

  @Test
  void aTableThatWasLostIsReplacedToo() throws IOException {
    FleetWriter.add(folder, "shop", of("older"), false);
    FileTree.delete(folder.resolve("samples"));

    FleetWriter.add(folder, "shop", of("newer"), true);

    assertIs("newer", folder);
    assertThat(folder.resolve("samples/trial=shop/samples.parquet")).exists();
  }

  /** Does as a writer does that is ended after some steps; returns how many there would be. */
  private static int endedAfter(Path fleet, int made, boolean replaces) throws IOException {
    if (replaces) {
      FleetWriter.add(fleet, "shop", of("older"), false);
    }
    Path other = fleet.resolveSibling(fleet.getFileName() + "-other");
    FleetWriter.add(other, "shop", of("newer"), false);
    TrialFolders folders = new TrialFolders(fleet, "shop");
    try (Stream<Path> tables = Files.list(other)) {
      for (Path table : tables.toList()) {
        Path unfinished = folders.unfinished(table.getFileName().toString());
        Files.createDirectories(unfinished.resolve("..").normalize());
        Files.move(table.resolve("trial=shop"), unfinished);
      }
    }
    List<TrialFolders.Move> steps = folders.publication();
    for (TrialFolders.Move step : steps.subList(0, made)) {
      step.make();
    }
    return steps.size();
  }

  private static void assertIs(String server, Path fleet) {
    FleetStorage storage = FleetStorage.of(fleet);
    assertThat(FleetReader.trials(storage)).containsExactly("shop");
    assertThat(FleetReader.trial(storage, "shop").servers()).containsExactly(server);
    assertThat(FleetReader.files(storage, "shop"))
        .extracting(FleetFile::server)
        .containsExactly(server);
    assertThat(fleet.resolve("requests/trial=shop"))
        .isDirectoryContaining(path -> path.endsWith("server=" + server));
  }

  private static void assertNothingElseIsIn(Path fleet) throws IOException {
    assertFiles(7, fleet);
  }

  private static void assertFiles(int expected, Path fleet) throws IOException {
    try (Stream<Path> files = Files.walk(fleet)) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(expected);
    }
  }

  private static Observation of(String server) {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(
        new Request(server, "GET /", "user", START, START, START + 5, 1, 2, Outcome.OK, 1));
    return new Observation(List.of(), table.build(), List.of(), List.of());
  }
}
