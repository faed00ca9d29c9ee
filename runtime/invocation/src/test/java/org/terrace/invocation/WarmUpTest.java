package org.terrace.invocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Style;
import org.terrace.core.codec.FieldNumber;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.testing.Await;

@Tag("real-processes")
class WarmUpTest {
  /** A value whose record takes no zeros. */
  public record Bid(@FieldNumber(1) String item, @FieldNumber(2) long cents) {
    /** Refuses what is not above zero. */
    public Bid {
      if (cents <= 0) {
        throw new IllegalArgumentException("a bid is above zero");
      }
    }
  }

  /** A type of each kind that may travel. */
  public interface Everything {
    @Update
    int numbers(int c, long d, double f, boolean g);

    @Update
    double texts(String text, byte[] bytes, Style choice, UUID id, Instant when, Duration time);

    @Read
    List<Bid> bids(Optional<Bid> bid, Set<String> items, Map<String, Bid> best, Bid last);

    @Update
    void nothing();
  }

  private static final int METHODS = 4;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final AtomicInteger calls = new AtomicInteger();

  private final class Counting implements Everything {
    @Override
    public int numbers(int c, long d, double f, boolean g) {
      return calls.incrementAndGet();
    }

    @Override
    public double texts(
        String text, byte[] bytes, Style choice, UUID id, Instant when, Duration time) {
      return calls.incrementAndGet();
    }

    @Override
    public List<Bid> bids(Optional<Bid> bid, Set<String> items, Map<String, Bid> best, Bid last) {
      calls.incrementAndGet();
      return List.of(last);
    }

    @Override
    public void nothing() {
      calls.incrementAndGet();
    }
  }

  @Test
  void anExportIsWarmedUpWithoutACallOfTheService() {
    try (ServiceServer server =
        ServiceServer.open(ServerOptions.of("server1").withUnsharedReplies())) {
      server.export("everything", Everything.class, new Counting(), Style.WARM_PASSIVE);

      assertThat(Await.until(LIMIT, () -> server.warmUpCalls() >= METHODS))
          .as("each method, once at least: those for which the export had no time are called later")
          .isTrue();
      assertThat(server.warmUpCallsFailed()).isZero();
      assertThat(server.answered()).isZero();
      assertThat(server.rejected()).isZero();
      assertThat(calls).hasValue(0);
    }
  }

  @Test
  void aReplicaWithoutWarmConnectionsIsNotWarmedUp() {
    ServerOptions options =
        ServerOptions.of("server1")
            .withUnsharedReplies()
            .withFailOver(FailOverOptions.all().withWarmConnections(false));
    try (ServiceServer server = ServiceServer.open(options)) {
      server.export("everything", Everything.class, new Counting(), Style.WARM_PASSIVE);

      assertThat(server.warmUpCalls()).isZero();
    }
  }
}
