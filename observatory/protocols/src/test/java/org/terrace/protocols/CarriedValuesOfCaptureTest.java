package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Request;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.captures.Captures;

/**
 * Values on their way through real servers: in the capture of the slow shop visitors ask nginx for
 * {@code /product/17}, it asks a Python server, and that asks PostgreSQL for {@code id = 17}.
 */
class CarriedValuesOfCaptureTest {
  private static final Path CAPTURE =
      Path.of(System.getProperty("terrace.root"), "examples/slow-shop/slow.pcap.gz");

  @Test
  void theValueOfAStatementStandsInTheUrlThatCausedItAndSeldomInAnother() throws IOException {
    List<Request> requests = read();
    List<Request> statements =
        requests.stream()
            .filter(request -> request.requestClass().matches(".*(product|id) = \\?.*"))
            .filter(request -> request.carriedValues() != ValueSketch.NONE)
            .toList();
    List<Request> pages =
        requests.stream()
            .filter(request -> request.requestClass().matches("(GET|POST) /product/.*"))
            .toList();
    long alone = 0;
    long none = 0;
    for (Request statement : statements) {
      long sharing =
          pages.stream()
              .filter(page -> encloses(page, statement))
              .filter(page -> page.server().startsWith("10.77.0.3"))
              .filter(page -> page.carriedValues() == statement.carriedValues())
              .count();
      alone += sharing == 1 ? 1 : 0;
      none += sharing == 0 ? 1 : 0;
    }

    assertThat(statements).hasSizeGreaterThan(300);
    assertThat(none).isZero();
    assertThat(alone).isGreaterThan(statements.size() * 9L / 10);
  }

  @Test
  void aProxyHandsTheValuesOn() throws IOException {
    List<Request> pages =
        read().stream()
            .filter(request -> request.requestClass().matches("(GET|POST) /product/.*"))
            .filter(request -> request.carriedValues() != ValueSketch.NONE)
            .toList();
    List<Request> handedOn =
        pages.stream().filter(page -> page.server().startsWith("10.77.0.3")).toList();

    assertThat(handedOn)
        .hasSizeGreaterThan(200)
        .allSatisfy(page ->
            assertThat(pages)
                .anyMatch(asked ->
                    asked.server().startsWith("10.77.0.2")
                        && encloses(asked, page)
                        && asked.carriedValues() == page.carriedValues()));
  }

  private static boolean encloses(Request outer, Request inner) {
    return outer.arrivalNanos() <= inner.arrivalNanos()
        && outer.departureNanos() >= inner.departureNanos();
  }

  private static List<Request> read() throws IOException {
    try (GZIPInputStream unpacked = new GZIPInputStream(Files.newInputStream(CAPTURE))) {
      return Captures.read(unpacked.readAllBytes()).requests();
    }
  }
}
