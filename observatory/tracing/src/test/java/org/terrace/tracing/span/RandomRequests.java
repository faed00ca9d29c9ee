package org.terrace.tracing.span;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;

/** Tables of requests with every column that a format of traces must carry. */
final class RandomRequests {
  private static final long START = 1_700_000_000_000_000_000L;

  private RandomRequests() {}

  /** A table whose times are multiples of a unit. */
  static RequestTable table(RandomGenerator random, int size, long unitNanos) {
    RequestTable.Builder builder = new RequestTable.Builder();
    for (int i = 0; i < size; i++) {
      long arrival = START + unitNanos * random.nextLong(1_000_000);
      long departure = arrival + unitNanos * random.nextLong(1, 50_000);
      builder.accept(
          new Request(
              "server" + random.nextInt(4),
              "GET /a?\"b\"=\\{n}\u00e9\u0001" + random.nextInt(5),
              "client" + random.nextInt(9),
              arrival - random.nextLong(3),
              arrival,
              departure,
              random.nextLong(4) * 100,
              random.nextLong(4) * 1_000,
              Outcome.values()[random.nextInt(Outcome.values().length)],
              random.nextInt(-2, 100),
              exchange(random, arrival),
              trace(random, i)));
    }
    return builder.build();
  }

  private static Exchange exchange(RandomGenerator random, long arrival) {
    return random.nextBoolean()
        ? Exchange.NONE
        : new Exchange(arrival, Exchange.UNKNOWN, random.nextLong(1, 99), 100);
  }

  /** A place in one of some transactions, whose spans follow on one another. */
  private static @Nullable TraceContext trace(RandomGenerator random, int row) {
    if (random.nextInt(10) == 0) {
      return null;
    }
    long span = row + 1L;
    return new TraceContext(
        row / 10 + 1L,
        span,
        row % 10 == 0 ? TraceContext.NO_PARENT : row - row % 10 + 1L,
        random.nextDouble(),
        random.nextBoolean() ? "timing" : "trace");
  }
}
