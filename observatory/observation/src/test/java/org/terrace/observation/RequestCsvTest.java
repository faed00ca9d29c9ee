package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;

class RequestCsvTest {
  @TempDir Path directory;

  @Test
  void columnsComeInAnyOrderAndOthersArePassedOver() throws IOException {
    RequestTable table =
        read(
            """
            departureNanos,server,colour,arrivalNanos,outcome,requestClass
            30,app1,red,10,error,"select ""a"", b
            from t"
            40,app1,blue,5,,
            """);

    assertThat(RandomObservations.rows(table))
        .containsExactly(
            new Request("app1", "unknown", "unknown", 5, 5, 40, 0, 0, Outcome.OK, 0),
            new Request(
                "app1", "select \"a\", b\nfrom t", "unknown", 10, 10, 30, 0, 0, Outcome.ERROR, 0));
  }

  @Test
  void phasesPacketsAndTransactionsAreReadWhereTheyAreGiven() throws IOException {
    RequestTable table =
        read(
            """
            server,arrivalNanos,departureNanos,requestEndNanos,lastFrame,transaction,span,parent,confidence,source
            app1,1,9,2,7,4,5,3,0.25,timing
            app1,2,9,,,4,6,,,
            app1,3,9,,,,,,,
            """);

    assertThat(RandomObservations.rows(table))
        .extracting(Request::exchange)
        .containsExactly(
            new Exchange(2, Exchange.UNKNOWN, Exchange.UNKNOWN, 7), Exchange.NONE, Exchange.NONE);
    assertThat(RandomObservations.rows(table))
        .extracting(Request::trace)
        .containsExactly(
            new TraceContext(4, 5, 3, 0.25, "timing"),
            new TraceContext(4, 6, TraceContext.NO_PARENT, 1, "unknown"),
            null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          4,,0.5|line 2: only one of transaction and span
          4,5,1.5|line 2: confidence is 1.5
          4,5,high|line 2: confidence is 'high'
          """)
  void aPlaceInATransactionThatCannotBeIsNamed(String values, String message) {
    assertThatThrownBy(() ->
            read(
                "server,arrivalNanos,departureNanos,transaction,span,confidence\na,1,2,"
                    + values
                    + "\n"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aPackedFileIsUnpacked() throws IOException {
    Path file = directory.resolve("requests.csv.gz");
    try (GZIPOutputStream output = new GZIPOutputStream(Files.newOutputStream(file))) {
      output.write(
          "server,arrivalNanos,departureNanos\nweb1,1,2\n"
              .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    assertThat(ObservationFiles.readRequests(file).size()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a,ten,20|line 2: arrivalNanos is 'ten'
          a,,20|line 2: arrivalNanos is empty
          a,20,10|line 2: departureNanos 10 is before arrivalNanos 20
          a,20|line 2: there are only 2 fields
          """)
  void aWrongLineIsNamedByItsNumber(String line, String message) {
    assertThatThrownBy(() -> read("server,arrivalNanos,departureNanos\n" + line + "\n"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("requests.csv")
        .hasMessageContaining(message);
  }

  @Test
  void theLineNumberCountsLinesWithinQuotes() {
    assertThatThrownBy(() ->
            read(
                """
                server,arrivalNanos,departureNanos,outcome
                "a
                b",1,2,OK
                c,1,2,LOST
                """))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("line 4: outcome is 'LOST'; expected one of [OK, ERROR");
  }

  @Test
  void aMissingColumnIsNamed() {
    assertThatThrownBy(() -> read("server,start,end\n"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("line 1: there is no column arrivalNanos");
  }

  @Test
  void anEmptyFileIsRefused() {
    assertThatThrownBy(() -> read(""))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("it is empty");
  }

  private RequestTable read(String text) throws IOException {
    Path file = directory.resolve("requests.csv");
    Files.writeString(file, text);
    return ObservationFiles.readRequests(file);
  }
}
