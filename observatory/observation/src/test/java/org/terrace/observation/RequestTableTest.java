package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class RequestTableTest {

  @Test
  void keepsEveryRowSortedByArrivalAndStable() {
    RandomGenerator random = Seeds.generator(Seeds.next("RequestTableTest"));
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      requests.add(request("app" + random.nextInt(3), random.nextLong(1_000), i));
    }
    RequestTable table = tableOf(requests);

    requests.sort(Comparator.comparingLong(Request::arrivalNanos));
    assertThat(table.size()).isEqualTo(5_000);
    for (int row = 0; row < table.size(); row++) {
      assertThat(table.request(row)).isEqualTo(requests.get(row));
    }
  }

  @Test
  void sortsArrivalsTooFarApartForPackedKeys() {
    RequestTable table =
        tableOf(
            List.of(
                request("a", Long.MAX_VALUE - 10, 1),
                request("b", Long.MIN_VALUE + 10, 2),
                request("c", 0, 3)));

    assertThat(table.request(0).server()).isEqualTo("b");
    assertThat(table.request(1).server()).isEqualTo("c");
    assertThat(table.request(2).server()).isEqualTo("a");
  }

  @Test
  void rowsOfAnUnknownServerAreNone() {
    assertThat(RequestTable.empty().rowsOf("app1")).isEmpty();
  }

  private static Request request(String server, long arrivalNanos, int connection) {
    return new Request(
        server,
        "GET /",
        "c" + connection % 7,
        arrivalNanos,
        arrivalNanos,
        arrivalNanos + 5,
        connection,
        2,
        Outcome.values()[connection % 4],
        connection,
        connection < 100 ? Exchange.NONE : new Exchange(arrivalNanos + 1, arrivalNanos + 2, 3, 4),
        connection < 3_000 ? null : new TraceContext(1, connection, 2, 0.5, "timing"));
  }

  private static RequestTable tableOf(List<Request> requests) {
    RequestTable.Builder builder = new RequestTable.Builder();
    requests.forEach(builder);
    return builder.build();
  }
}
