package org.terrace.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.TerraceException;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;

class FleetWriterTest {
  private static final long START = 1_790_000_000_000_000_000L;

  @TempDir Path fleet;

  /** As on a file system that takes two names for one. */
  @Test
  void aFileThatIsThereAlreadyIsNotWrittenOver(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("from-APP1.parquet");
    assertThat(FleetWriter.requireNew(file)).isEqualTo(file);
    Files.writeString(file, "of another");

    assertThatThrownBy(() -> FleetWriter.requireNew(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("small and capital letters");
  }

  @Test
  void aTrialIsAllThereOrNotAtAll() throws IOException {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request("app1", START));
    table.accept(request("", START + 1));

    assertThatThrownBy(() -> FleetWriter.add(fleet, "shop", of(table), false))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cannot be that of a folder");

    assertThat(FleetWriter.has(fleet, "shop")).isFalse();
    assertThat(filesBelow(fleet)).isEmpty();
  }

  @Test
  void aTrialOfThatNameIsKeptUnlessItIsReplaced() {
    RequestTable.Builder first = new RequestTable.Builder();
    first.accept(request("app1", START));
    first.accept(request("app2", START + 3_600_000_000_000L));
    FleetWriter.add(fleet, "shop", of(first), false);
    RequestTable.Builder second = new RequestTable.Builder();
    second.accept(request("app3", START));

    assertThatThrownBy(() -> FleetWriter.add(fleet, "shop", of(second), false))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("a trial shop already")
        .hasMessageContaining("--replace");
    FleetStorage storage = FleetStorage.of(fleet);
    assertThat(FleetReader.files(storage, "shop")).hasSize(2);
    FleetWriter.add(fleet, "shop", of(second), true);

    assertThat(FleetReader.files(storage, "shop"))
        .extracting(FleetFile::server)
        .containsExactly("app3");
    assertThat(fleet.resolve("requests/trial=shop")).isDirectoryContaining("glob:**server=app3");
    assertThat(fleet.resolve("requests/trial=shop/server=app1")).doesNotExist();
  }

  @Test
  void ofTwoWritersOfATrialOneIsRefused() throws Exception {
    RequestTable.Builder table = new RequestTable.Builder();
    for (int i = 0; i < 300; i++) {
      table.accept(request("app" + i % 12, START + i));
    }
    Observation observation = of(table);
    FleetStorage storage = FleetStorage.of(fleet);
    for (int round = 0; round < 8; round++) {
      String trial = "shop" + round;
      CyclicBarrier together = new CyclicBarrier(2);
      Callable<Boolean> writer =
          () -> {
            together.await();
            try {
              FleetWriter.add(fleet, trial, observation, false);
              return true;
            } catch (TerraceException e) {
              assertThat(e).hasMessageMatching(".*(being written by another|already).*");
              return false;
            }
          };
      List<Boolean> ended = new ArrayList<>();
      try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (Future<Boolean> each : workers.invokeAll(List.of(writer, writer))) {
          ended.add(each.get());
        }
      }

      assertThat(ended).containsExactlyInAnyOrder(true, false);
      assertThat(FleetReader.files(storage, trial)).hasSize(12);
    }
  }

  @Test
  void aFolderWithoutItsRowIsNoTrial() throws IOException {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request("app1", START));
    FleetWriter.add(fleet, "shop", of(table), false);
    Files.createDirectories(fleet.resolve("trials/trial=none"));

    assertThat(FleetReader.trials(FleetStorage.of(fleet))).containsExactly("shop");
  }

  @Test
  void trialsAreListedByName() {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request("app1", START));
    Observation observation = of(table);
    List.of("b", "a/1", "c d").forEach(each -> FleetWriter.add(fleet, each, observation, false));

    assertThat(FleetReader.trials(FleetStorage.of(fleet))).containsExactly("a/1", "b", "c d");
  }

  @Test
  void aFolderWithoutTrialsIsRefused() {
    assertThatThrownBy(() -> FleetReader.trials(FleetStorage.of(fleet)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("expected a data set of trials")
        .hasMessageContaining("terrace export");
  }

  @Test
  void timesOfThousandsOfYearsAreRefused() {
    RequestTable.Builder table = new RequestTable.Builder();
    for (int hour = 0; hour <= FleetWriter.FILES_MAX; hour++) {
      table.accept(request("app1", hour * 3_600_000_000_000L));
    }

    assertThatThrownBy(() -> FleetWriter.add(fleet, "shop", of(table), false))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("Their times may be wrong");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app1", "127.0.0.1:80", "[::1]:5432", "a=b/c", "50%", "%41", "ü ", ".x"})
  void namesOfFoldersAreReadBack(String name) {
    String folder = PartitionNames.folder("server", name);

    assertThat(folder.substring("server=".length())).doesNotContain("/", ":", "=");
    assertThat(PartitionNames.value("server", folder)).isEqualTo(name);
    assertThat(PartitionNames.value("hour", folder)).isNull();
  }

  @Test
  void hoursAreThoseOfUniversalTime() {
    assertThat(PartitionNames.hour(PartitionNames.hourOf(START))).isEqualTo("2026-09-21-14");
    assertThat(PartitionNames.hourOf(-1)).isEqualTo(-1);
    assertThat(PartitionNames.hour(-1)).isEqualTo("1969-12-31-23");
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static Observation of(RequestTable.Builder table) {
    return new Observation(List.of(), table.build(), List.of(), List.of());
  }

  private static Request request(String server, long arrival) {
    return new Request(server, "GET /", "user", arrival, arrival, arrival + 5, 1, 2, Outcome.OK, 1);
  }
}
