package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.observation.table.ParquetLook;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

class ObservationFilesTest {
  /** More than one row group. */
  private static final int ROWS_OF_TWO_GROUPS = 300_000;

  @TempDir Path directory;

  @Test
  void whatWasWrittenIsReadBackEqual() {
    RandomGenerator random = Seeds.generator(Seeds.next("ObservationFilesTest"));
    Observation written = RandomObservations.observation(random, 2_000);

    ObservationFiles.write(directory.resolve("out"), written);
    Observation read = ObservationFiles.read(directory.resolve("out"));

    assertThat(read.servers()).isEqualTo(written.servers());
    assertThat(read.samples()).isEqualTo(written.samples());
    assertThat(read.events()).isEqualTo(written.events());
    assertThat(read.connections()).isEqualTo(written.connections()).hasSize(2_000);
    assertThat(RandomObservations.rows(read.requests()))
        .isEqualTo(RandomObservations.rows(written.requests()));
  }

  @Test
  void aTableOfSeveralRowGroupsIsReadBackEqual() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("ObservationFilesTest"));
    RequestTable written = RandomObservations.requests(random, ROWS_OF_TWO_GROUPS);
    Path file = directory.resolve("requests.parquet");

    ObservationFiles.writeRequests(file, written);

    assertThat(RandomObservations.rows(ObservationFiles.readRequests(file)))
        .isEqualTo(RandomObservations.rows(written));
    assertThat(Files.size(file)).isLessThan(ROWS_OF_TWO_GROUPS * 45L);
  }

  @Test
  void anEmptyObservationIsReadBackEmpty() {
    ObservationFiles.write(
        directory, new Observation(List.of(), RequestTable.empty(), List.of(), List.of()));

    Observation read = ObservationFiles.read(directory);

    assertThat(read.requests().size()).isZero();
    assertThat(read.servers()).isEmpty();
    assertThat(read.samples()).isEmpty();
    assertThat(read.events()).isEmpty();
    assertThat(read.connections()).isEmpty();
  }

  @Test
  void requestsAloneMakeAnObservationWithServersInTheOrderOfTheirCalls() {
    RequestTable.Builder builder = new RequestTable.Builder();
    builder.accept(request("web1", 10));
    builder.accept(request("app1", 20));
    builder.accept(request("app2", 30));
    ObservationFiles.writeRequests(directory.resolve("trace.parquet"), builder.build());

    Observation read = ObservationFiles.readAny(directory.resolve("trace.parquet"));

    assertThat(read.servers())
        .extracting(Server::name, Server::tier)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("web1", "web"),
            org.assertj.core.groups.Tuple.tuple("app1", "app"),
            org.assertj.core.groups.Tuple.tuple("app2", "app"));
  }

  @Test
  void noTemporaryFileIsLeftBehind() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("ObservationFilesTest"));
    ObservationFiles.write(directory, RandomObservations.observation(random, 10));

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "servers.parquet",
              "requests.parquet",
              "samples.parquet",
              "events.parquet",
              "connections.parquet");
    }
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> ObservationFiles.read(directory))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("requests.parquet")
        .hasMessageContaining("no such file");
  }

  @Test
  void aFileOfAnotherKindIsRefused() {
    assertThatThrownBy(() -> ObservationFiles.readRequests(directory.resolve("notes.txt")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(".parquet, .csv");
  }

  @Test
  void aFileCutOffOrDamagedAnywhereGivesAnErrorThatNamesIt() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("ObservationFilesTest"));
    Path file = directory.resolve("requests.parquet");
    ObservationFiles.writeRequests(file, RandomObservations.requests(random, 200));
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < Depth.of(200, 30); i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      byte[] cut = java.util.Arrays.copyOf(whole, random.nextInt(whole.length));
      Files.write(file, damaged);
      readOrRefuse(file);
      Files.write(file, cut);
      assertThatThrownBy(() -> ObservationFiles.readRequests(file))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("requests.parquet");
    }
  }

  @Test
  void aPageWithAnotherByteIsRefusedWhateverItWouldHaveSaid() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("ObservationFilesTest"));
    Path file = directory.resolve("requests.parquet");
    ObservationFiles.writeRequests(file, RandomObservations.requests(random, 200));
    byte[] whole = Files.readAllBytes(file);
    List<Page> pages = pages(file, whole);
    int apart = Depth.of(1, 6);
    for (int i = random.nextInt(apart); i < pages.size(); i += apart) {
      Page page = pages.get(i);
      byte[] damaged = whole.clone();
      damaged[page.start() + random.nextInt(page.length())] ^= (byte) (1 + random.nextInt(255));
      Files.write(file, damaged);
      assertThatThrownBy(() -> ObservationFiles.readRequests(file))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("requests.parquet")
          .hasMessageContaining("checksum");
    }
  }

  private record Page(int start, int length) {}

  /** The bodies of a file's pages that hold something, without their headers. */
  private static List<Page> pages(Path file, byte[] bytes) throws IOException {
    List<Page> pages = new ArrayList<>();
    for (ColumnChunkMetaData chunk : ParquetLook.firstColumns(file)) {
      int start = (int) chunk.getStartingPos();
      int end = start + (int) chunk.getTotalSize();
      ByteArrayInputStream input = new ByteArrayInputStream(bytes, start, end - start);
      while (input.available() > 0) {
        int length = Util.readPageHeader(input).getCompressed_page_size();
        if (length > 0) {
          pages.add(new Page(end - input.available(), length));
        }
        input.skipNBytes(length);
      }
    }
    assertThat(pages).hasSizeGreaterThanOrEqualTo(10);
    return pages;
  }

  /**
   * A flipped bit of a header may change a value unseen; what it must not do is end in another
   * exception.
   */
  private static void readOrRefuse(Path file) {
    try {
      assertThat(ObservationFiles.readRequests(file)).isNotNull();
    } catch (TerraceException e) {
      assertThat(e).hasMessageContaining("requests.parquet");
    }
  }

  private static Request request(String server, long arrival) {
    return new Request(server, "GET /", "c", arrival, arrival, arrival + 5, 1, 2, Outcome.OK, 7);
  }
}
