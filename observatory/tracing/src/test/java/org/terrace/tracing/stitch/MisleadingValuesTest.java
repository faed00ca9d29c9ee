package org.terrace.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.observation.RequestTable;
import org.terrace.observation.ValueSketch;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.tiers.TierCall;
import org.terrace.testing.tiers.TierTraffic;
import org.terrace.testing.tiers.TrafficShape;
import org.terrace.testing.tiers.TrafficShape.Pool;

/**
 * Values that many requests carry, that only some do, or that are another's: none of them makes
 * parents that are asserted wrong more often than is promised.
 */
class MisleadingValuesTest {
  private static final int CLIENTS = 16;
  private static final long SLICE_NANOS = 100_000_000;

  /** A change of the values that recur from tier to tier. */
  enum Change {
    /** Numbers of pages: six values, which all requests carry. */
    FEW {
      @Override
      long of(TierCall call, List<TierCall> there, RandomGenerator random) {
        return call.value() == 0 ? 0 : 10 + call.value() % 6;
      }
    },
    /** The half of all requests tell nothing, as those do whose body was not read. */
    SILENT {
      @Override
      long of(TierCall call, List<TierCall> there, RandomGenerator random) {
        return call.server().equals("app") && random.nextBoolean() ? 0 : call.value();
      }
    },
    /** The time of day, which all have that are there at once. */
    TIME {
      @Override
      long of(TierCall call, List<TierCall> there, RandomGenerator random) {
        return 1_000 + call.startNanos() / SLICE_NANOS % 60;
      }
    },
    /** In a third of the statements the value of some other request that is there. */
    ANOTHERS {
      @Override
      long of(TierCall call, List<TierCall> there, RandomGenerator random) {
        return call.server().equals("db") && random.nextInt(3) == 0 && !there.isEmpty()
            ? there.get(random.nextInt(there.size())).value()
            : call.value();
      }
    },
    /**
     * The first digits of each statement's number, as a cut leaves them, where others are short.
     */
    HALF {
      @Override
      long of(TierCall call, List<TierCall> there, RandomGenerator random) {
        boolean isShort = call.server().equals("db") || call.value() % 2 == 0;
        return isShort ? call.value() / 10 : call.value();
      }
    };

    abstract long of(TierCall call, List<TierCall> there, RandomGenerator random);
  }

  static Stream<Change> changes() {
    return Stream.of(Change.values()).skip(Depth.of(0, 3));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void misleadNobody(Change change) {
    RandomGenerator random = Seeds.generator(Seeds.next("MisleadingValuesTest"));
    List<TierCall> calls =
        TierTraffic.of(
            TrafficShape.of(CLIENTS, Pool.EACH_CALL)
                .withKinds()
                .withValues()
                .withRequests(120 * CLIENTS),
            random);
    Score without = Score.of(calls, Stitcher.parentsOf(TierTables.withoutValues(calls)));
    Score with = Score.of(calls, Stitcher.parentsOf(changed(calls, change, random)));
    System.out.println(change + ": " + with + "; without values " + without);

    KnownTruthTest.assertRight(with);
    assertThat(with.coverage()).as(with.toString()).isGreaterThan(without.coverage() - 0.1);
  }

  private static RequestTable changed(List<TierCall> calls, Change change, RandomGenerator random) {
    Map<Long, TierCall> open = new TreeMap<>();
    RequestTable.Builder builder = new RequestTable.Builder();
    for (TierCall call : calls) {
      open.values().removeIf(other -> other.endNanos() < call.startNanos());
      List<TierCall> there = List.copyOf(open.values());
      long value = change.of(call, there, random);
      if (call.server().equals("app")) {
        open.put(call.startNanos(), call);
      }
      builder.accept(
          TierTables.row(call, call.requestClass(), call.connection())
              .withCarriedValues(ValueSketch.add(ValueSketch.NONE, value)));
    }
    return builder.build();
  }
}
