package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

class CsvTableTest {
  private static final int ROWS = 2_000;
  private static final int ROWS_OF_A_LARGE_TABLE = Depth.of(100_000, 20_000);
  private static final long WRITTEN_BEFORE_THE_LAST_ROW = Depth.of(1_000_000, 200_000);

  private static final ConnectionColumns CONNECTIONS = new ConnectionColumns();

  @TempDir Path directory;

  @Test
  void whatWasWrittenIsReadBackEqual() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("CsvTableTest"));
    Observation written = RandomObservations.observation(random, ROWS);

    ObservationFiles.writeCsv(directory.resolve("out"), written);

    Path requests = directory.resolve("out").resolve(ObservationFiles.REQUESTS_CSV);
    assertThat(RandomObservations.rows(ObservationFiles.readRequests(requests)))
        .isEqualTo(
            RandomObservations.rows(written.requests()).stream()
                .map(CsvTableTest::withoutEmptyTexts)
                .toList())
        .hasSize(ROWS);
    assertThat(connections(directory.resolve("out").resolve(ObservationFiles.CONNECTIONS_CSV)))
        .isEqualTo(written.connections())
        .hasSize(ROWS);
  }

  /**
   * RFC 4180, byte for byte: line ends of two characters, quotes doubled, and only where needed.
   */
  @Test
  void textsAreQuotedWhereTheyMustBe() throws IOException {
    Files.createDirectories(directory);
    RequestTable.Builder builder = new RequestTable.Builder();
    for (String requestClass :
        List.of("GET /a b;'c'", "a,b", "say \"a\"", "a\nb", "a\rb", "=1+1")) {
      builder.accept(new Request("ü", requestClass, "", 1, 1, 2, 3, 4, Outcome.OK, 5));
    }

    ObservationFiles.writeCsv(
        directory, new Observation(List.of(), builder.build(), List.of(), List.of()));

    String before = "ü,";
    String after = ",,1,1,,,2,3,4,OK,5,,,,,,,,,,,\r\n";
    assertThat(Files.readString(directory.resolve("requests.csv")))
        .isEqualTo(
            "server,requestClass,client,intendedNanos,arrivalNanos,requestEndNanos,"
                + "responseStartNanos,departureNanos,bytesIn,bytesOut,outcome,connection,"
                + "firstFrame,lastFrame,identifier,transaction,span,parent,confidence,source,"
                + "point,pointArrivalNanos,pointDepartureNanos\r\n"
                + Stream.of(
                        "GET /a b;'c'",
                        "\"a,b\"",
                        "\"say \"\"a\"\"\"",
                        "\"a\nb\"",
                        "\"a\rb\"",
                        "=1+1")
                    .map(field -> before + field + after)
                    .reduce("", String::concat));
    assertThat(Files.readString(directory.resolve("connections.csv")).lines())
        .singleElement()
        .asString()
        .startsWith("connection,server,clientAddress,");
  }

  @Test
  void aRowIsWrittenBeforeTheNextButFewIsAskedFor() throws IOException {
    List<Long> sizes = new ArrayList<>();
    Iterable<ObservedConnection> rows =
        () -> lastAsked(row(), () -> sizes.add(Files.size(onlyFile())));

    new CsvTable<>(CONNECTIONS).write(directory.resolve("connections.csv"), rows);

    assertThat(sizes)
        .singleElement()
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LONG)
        .isGreaterThan(WRITTEN_BEFORE_THE_LAST_ROW);
    assertThat(connections(directory.resolve("connections.csv"))).hasSize(ROWS_OF_A_LARGE_TABLE);
  }

  @Test
  void aFailureLeavesTheEarlierFileAndNoPartOfTheNewOne() throws IOException {
    Path file = Files.writeString(directory.resolve("connections.csv"), "earlier");
    Iterable<ObservedConnection> rows =
        () ->
            lastAsked(
                row(),
                () -> {
                  throw new IOException("the source ended");
                });

    assertThatThrownBy(() -> new CsvTable<>(CONNECTIONS).write(file, rows))
        .isInstanceOf(IOException.class)
        .hasMessage("the source ended");

    assertThat(onlyFile()).isEqualTo(file).hasContent("earlier");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() ->
            ObservationFiles.writeCsv(
                file, new Observation(List.of(), RequestTable.empty(), List.of(), List.of())))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("requests.csv: it cannot be written");
  }

  @Test
  void aTableOfListsHasNoForm() {
    assertThatThrownBy(() -> new CsvTable<>(new ServerColumns()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("addresses holds lists");
  }

  private interface Step {
    void run() throws IOException;
  }

  /** As many equal rows as make a large table; a step is taken before the last is given. */
  private static Iterator<ObservedConnection> lastAsked(ObservedConnection row, Step step) {
    return IntStream.rangeClosed(1, ROWS_OF_A_LARGE_TABLE)
        .mapToObj(number -> {
          if (number == ROWS_OF_A_LARGE_TABLE) {
            try {
              step.run();
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          }
          return row;
        })
        .iterator();
  }

  private static ObservedConnection row() {
    return RandomObservations.observation(Seeds.generator(1), 1).connections().getFirst();
  }

  private Path onlyFile() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  private static List<ObservedConnection> connections(Path file) throws IOException {
    return CsvRows.read(
        file,
        rows -> {
          List<ObservedConnection> read = new ArrayList<>();
          while (rows.next()) {
            read.add(CONNECTIONS.connection(rows));
          }
          return read;
        });
  }

  /** An empty field is a value that the input does not tell. */
  private static Request withoutEmptyTexts(Request request) {
    return new Request(
            request.server(),
            request.requestClass().isEmpty() ? "unknown" : request.requestClass(),
            request.client(),
            request.intendedNanos(),
            request.arrivalNanos(),
            request.departureNanos(),
            request.bytesIn(),
            request.bytesOut(),
            request.outcome(),
            request.connection(),
            request.exchange(),
            request.identifier(),
            request.trace())
        .withRecorded(request.recorded());
  }
}
