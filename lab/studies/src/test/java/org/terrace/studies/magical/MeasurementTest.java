package org.terrace.studies.magical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.study.Validity;
import org.terrace.studies.services.ProbeFile;

class MeasurementTest {
  private static final String HEADING =
      "server,requestClass,client,arrivalNanos,departureNanos,bytesIn,bytesOut,outcome,sequence\n";
  private static final MagicalConfiguration ONE = new MagicalConfiguration(1, Duration.ZERO, 0);
  private static final long START = 1_700_000_000_000_000_007L;
  private static final long MILLI = 1_000_000;
  private static final int CALLS = 1_000;

  @TempDir Path directory;

  private static String row(String server, long from, long to, int sequence) {
    return "%s,enter,a1,%d,%d,3,4,ok,%d%n".formatted(server, from, to, sequence);
  }

  private Measurement measure(String client, String servers, int planned) throws IOException {
    Path clients = Files.writeString(directory.resolve("client.csv"), HEADING + client);
    Path replicas = Files.writeString(directory.resolve("server1.csv"), HEADING + servers);
    return Measurement.of(
        ONE,
        ProbeFile.read(List.of(clients)).rows(),
        ProbeFile.read(List.of(replicas)).rows(),
        planned,
        0,
        1);
  }

  /** A thousand calls of 4 ms, one each 10 ms, of which 3 are the server's; some take longer. */
  private Measurement usual(int slowServer, int slowMiddleware) throws IOException {
    StringBuilder client = new StringBuilder();
    StringBuilder servers = new StringBuilder();
    for (int warmUp = 1; warmUp <= 50; warmUp++) {
      long from = START - (100 - warmUp) * 10L * MILLI;
      servers.append(row("server1", from, from + 900 * MILLI, warmUp));
    }
    for (int i = 0; i < CALLS; i++) {
      long from = START + i * 10L * MILLI;
      long server = (i == slowServer ? 300 : 3) * MILLI;
      long before = (i == slowMiddleware ? 200 : 1) * MILLI;
      client.append(row("clients", from, from + before + server, 51 + i));
      servers.append(row("server1", from + before, from + before + server, 51 + i));
      servers.append(row("server2", from + before + 1, from + before + server + 1, 51 + i));
    }
    return measure(client.toString(), servers.toString(), CALLS);
  }

  @Test
  void outliersAreGivenToThePartThatMadeThem() throws IOException {
    Measurement measured = usual(500, 700);

    assertThat(measured.tail().sigmaOutliers().count()).isEqualTo(2);
    assertThat(measured.split().server()).isEqualTo(1);
    assertThat(measured.split().middleware()).isEqualTo(1);
    assertThat(measured.outliersByTenth()).containsExactly(0, 0, 0, 0, 0, 1, 0, 1, 0, 0);
    assertThat(measured.outliersInBursts()).isZero();
  }

  @Test
  void neighbouringOutliersAreABurst() throws IOException {
    assertThat(usual(500, 503).outliersInBursts()).isEqualTo(1);
  }

  @Test
  void rowsOfTheWarmUpAndOfASecondReplicaDoNotCount() throws IOException {
    Measurement measured = usual(500, 700);

    assertThat(measured.calls()).isEqualTo(CALLS);
    assertThat(measured.rate()).isCloseTo(100, within(3.0));
    assertThat(measured.peakRate()).isBetween(99.0, 101.0);
    assertThat(measured.serverMeanNanos()).isCloseTo(3.297 * MILLI, within(0.001 * MILLI));
    assertThat(measured.checks()).allMatch(Validity::passed);
  }

  @Test
  void theLargestZScoreStaysBelowItsCeiling() throws IOException {
    Measurement measured = usual(500, -1);

    assertThat(measured.tail().maxZCeiling()).isCloseTo(999 / Math.sqrt(1_000), within(1e-9));
    assertThat(measured.tail().maxZ())
        .isGreaterThan(0.99 * measured.tail().maxZCeiling())
        .isLessThanOrEqualTo(measured.tail().maxZCeiling() + 1e-9);
  }

  @Test
  void fewAndMissingCallsAreToldByTheChecks() throws IOException {
    StringBuilder client = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      client.append(row("clients", START + i * MILLI, START + i * MILLI + 500_000, i + 1));
    }

    Measurement measured = measure(client.toString(), row("server1", START + 1, START + 2, 1), 200);

    assertThat(measured.highZ()).isInfinite();
    assertThat(measured.checks().stream().filter(each -> !each.passed()).map(Validity::check))
        .contains("planned-calls", "enough-calls", "matched");
  }
}
