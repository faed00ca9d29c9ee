package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.Stations.request;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestClass;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Seeds;

class CellsTest {

  /** Figure 7 of Wang et al. (2013): two classes of 30 and 10 ms, three windows of 100 ms. */
  @Test
  void computesTheLoadAndNormalisedThroughputOfThePublishedExample() {
    RequestTable.Builder table = new RequestTable.Builder();
    add(table, "Req1", 10, 40);
    add(table, "Req1", 50, 80);
    add(table, "Req1", 110, 140);
    add(table, "Req2", 150, 160);
    add(table, "Req2", 210, 220);
    add(table, "Req2", 230, 240);
    add(table, "Req2", 250, 260);
    add(table, "Req2", 270, 280);
    ServerRequests requests = ServerRequests.split(table.build())[0];
    Cells cells = Cells.of(requests, new Stretch(START, START + 300 * MILLIS, "whole"));
    double[] units = WorkUnits.published(new double[] {30 * MILLIS, 10 * MILLIS});

    assertThat(units).containsExactly(3, 1);
    assertThat(cells.load(100)).containsExactly(new double[] {0.6, 0.4, 0.4}, within(1e-12));
    assertThat(cells.throughput(100)).containsExactly(20, 20, 40);
    assertThat(cells.perSecond(cells.work(requests, units), 100)).containsExactly(60, 40, 40);
  }

  @Test
  void countsUnansweredRequestsInLoadButNeverAsCompletions() {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request("a", "x", START, START + 20 * MILLIS, Outcome.ABORTED));
    table.accept(request("a", "x", START, START + 40 * MILLIS, Outcome.UNFINISHED));
    table.accept(request("a", "x", START, START + 10 * MILLIS, Outcome.ERROR));
    Cells cells =
        Cells.of(
            ServerRequests.split(table.build())[0],
            new Stretch(START, START + 50 * MILLIS, "whole"));

    assertThat(Arrays.stream(cells.loadNanos).sum()).isEqualTo(70 * MILLIS);
    assertThat(Arrays.stream(cells.completions).sum()).isEqualTo(1);
  }

  @Test
  void whatWaitsByItsClientsWishIsNoLoadAndNoAnswer() {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request("a", "GET", START, START + 20 * MILLIS, Outcome.OK));
    table.accept(request("a", "BLPOP" + RequestClass.WAITS, START, START + MILLIS, Outcome.OK));
    table.accept(
        request("a", "BLPOP" + RequestClass.WAITS, START, START + 50 * MILLIS, Outcome.UNFINISHED));
    ServerRequests requests = ServerRequests.split(table.build())[0];
    Cells cells = Cells.of(requests, new Stretch(START, START + 50 * MILLIS, "whole"));

    assertThat(requests.size).isEqualTo(1);
    assertThat(Arrays.stream(cells.loadNanos).sum()).isEqualTo(20 * MILLIS);
    assertThat(Arrays.stream(cells.completions).sum()).isEqualTo(1);
  }

  @Test
  void integratesLoadToExactlyTheResidenceThatLiesInTheStretch() {
    RandomGenerator random = Seeds.generator(Seeds.next("CellsTest.integratesLoad"));
    for (int round = 0; round < 50; round++) {
      RequestTable table = randomTable(random, 500);
      long from = START + random.nextLong(SECONDS);
      long to = from + (1 + random.nextInt(200)) * WindowLengths.CELL_NANOS;
      Cells cells = Cells.of(ServerRequests.split(table)[0], new Stretch(from, to, "whole"));

      long residence = 0;
      int completions = 0;
      for (int row = 0; row < table.size(); row++) {
        long start = Math.max(from, table.arrivalNanos(row));
        long end = Math.min(to, table.departureNanos(row));
        residence += Math.max(0, end - start);
        boolean inside = table.departureNanos(row) >= from && table.departureNanos(row) < to;
        boolean answered = table.outcome(row) == Outcome.OK || table.outcome(row) == Outcome.ERROR;
        completions += inside && answered ? 1 : 0;
      }
      assertThat(Arrays.stream(cells.loadNanos).sum()).isEqualTo(residence);
      assertThat(Arrays.stream(cells.completions).sum()).isEqualTo(completions);
    }
  }

  @Test
  void longWindowsAreTheMeansOfTheShortOnesTheyCover() {
    RandomGenerator random = Seeds.generator(Seeds.next("CellsTest.longWindows"));
    ServerRequests requests = ServerRequests.split(randomTable(random, 2_000))[0];
    Cells cells = Cells.of(requests, new Stretch(START, START + 2 * SECONDS, "whole"));
    double[] shortLoad = cells.load(5);
    double[] shortThroughput = cells.throughput(5);

    for (int millis : WindowLengths.MILLIS) {
      double[] load = cells.load(millis);
      double[] throughput = cells.throughput(millis);
      int perWindow = millis / 5;
      for (int window = 0; window < load.length; window++) {
        int from = window * perWindow;
        assertThat(load[window])
            .isCloseTo(
                Arrays.stream(shortLoad, from, from + perWindow).average().orElseThrow(),
                within(1e-9));
        assertThat(throughput[window])
            .isCloseTo(
                Arrays.stream(shortThroughput, from, from + perWindow).average().orElseThrow(),
                within(1e-9));
      }
    }
  }

  private static RequestTable randomTable(RandomGenerator random, int rows) {
    RequestTable.Builder table = new RequestTable.Builder();
    for (int i = 0; i < rows; i++) {
      long arrival = START + random.nextLong(2 * SECONDS);
      long departure = arrival + random.nextLong(random.nextBoolean() ? 3 * MILLIS : SECONDS);
      table.accept(
          request("a", "x" + random.nextInt(3), arrival, departure, outcome(random.nextInt(4))));
    }
    return table.build();
  }

  private static Outcome outcome(int index) {
    return Outcome.values()[index];
  }

  private static void add(RequestTable.Builder table, String name, long fromMillis, long toMillis) {
    table.accept(
        request("a", name, START + fromMillis * MILLIS, START + toMillis * MILLIS, Outcome.OK));
  }
}
