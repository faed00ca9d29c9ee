package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** The bytes that the columns of capture points add to a file of requests. */
class PointColumnsSizeTest {
  private static final int ROWS = Depth.of(100_000, 20_000);

  @TempDir Path directory;

  /** Requests of three points, whose clocks are off, and one of which drifts. */
  private long bytes(RandomGenerator random, boolean hasPoints) throws IOException {
    RequestTable.Builder builder = new RequestTable.Builder();
    long arrival = RandomObservations.START_NANOS;
    for (int i = 0; i < ROWS; i++) {
      arrival += random.nextLong(1_000_000);
      long departure = arrival + random.nextLong(20_000_000);
      int point = random.nextInt(3);
      long ahead = point * 700_000_000L + (point == 2 ? i / 50 : 0);
      Request request =
          new Request(
              "server" + point,
              "GET /story/{n}",
              "user",
              arrival,
              arrival,
              departure,
              random.nextLong(500),
              random.nextLong(5_000),
              Outcome.OK,
              random.nextInt(100));
      builder.accept(
          hasPoints
              ? request.withRecorded(
                  new PointTimes("point" + point, arrival + ahead, departure + ahead))
              : request);
    }
    Path file = directory.resolve(hasPoints + ".parquet");
    ObservationFiles.writeRequests(file, builder.build());
    return Files.size(file);
  }

  @Test
  void aRowOfSeveralPointsTakesSomeBytesAndOneOfOneClockNone() throws IOException {
    long seed = Seeds.next("sizes");
    double without = bytes(Seeds.generator(seed), false);
    double with = bytes(Seeds.generator(seed), true);

    System.out.printf(
        "bytes a row: %.2f of one clock, %.2f of three points%n", without / ROWS, with / ROWS);
    assertThat((with - without) / ROWS).isBetween(2.0, 11.0);
  }
}
