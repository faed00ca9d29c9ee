package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Request;

/** The same exchanges as tshark finds in real captures. */
@Tag("real-processes")
class PeerCountsTest {
  @TempDir private Path directory;

  private List<String> tshark(String capture, String... fields)
      throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tshark"))),
        "tshark is not installed");
    Path file = directory.resolve(capture);
    Files.write(file, Captures.resource(capture));
    ArrayList<String> command =
        new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields"));
    for (String field : fields) {
      command.addAll(List.of("-e", field));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return output.lines().flatMap(line -> Arrays.stream(line.split("[,\t]", -1))).toList();
  }

  @Test
  void httpResponsesAreThoseOfTshark() throws IOException, InterruptedException {
    List<String> codes = tshark("http.pcap", "http.response.code");
    List<Request> requests = Captures.read(Captures.resource("http.pcap")).requests();

    assertThat(codes.stream().filter(code -> !code.isEmpty() && !code.equals("100")))
        .hasSameSizeAs(requests);
    assertThat(requests.stream().filter(request -> request.requestClass().startsWith("GET /m")))
        .hasSize((int) codes.stream().filter("404"::equals).count());
  }

  @Test
  void postgresqlTurnsAreTheReadyForQueryOfTshark() throws IOException, InterruptedException {
    List<String> types = tshark("pgsql.pcap", "pgsql.type");
    List<Request> requests = Captures.read(Captures.resource("pgsql.pcap")).requests();

    assertThat(
            requests.stream().filter(request -> !request.requestClass().equals("CANCEL REQUEST")))
        .hasSize((int) types.stream().filter("Ready for query"::equals).count());
  }

  @Test
  void realPostgresqlSessionHasTheStatementsThatWereRun() {
    List<Request> requests = Captures.read(Captures.resource("pgsql.pcap")).requests();

    assertThat(requests)
        .extracting(Request::requestClass)
        .contains(
            "COPY stories FROM STDIN",
            "UPDATE stories SET title = ? WHERE id = ?",
            "SELECT id, title, body FROM stories WHERE id IN (?) ORDER BY id",
            "CANCEL REQUEST")
        .filteredOn("SELECT id, title, body FROM stories WHERE id = ?"::equals)
        .hasSize(12);
    assertThat(requests)
        .filteredOn(request -> request.requestClass().equals("SELECT pg_sleep(?)"))
        .singleElement()
        .satisfies(request -> assertThat(request.residenceNanos()).isGreaterThan(900_000_000L));
  }
}
