package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.core.TimeSource;
import org.terrace.invocation.ClientOptions;
import org.terrace.invocation.ServiceClient;
import org.terrace.invocation.Style;

/**
 * A process that meets faults of two replicas which it starts itself: {@code FaultClient KIND
 * FAULTS LOG} with a kind of {@link Kind}. It prints a line for each figure.
 */
public final class FaultClient {
  private static final int WARM_CALLS = 3_000;
  private static final int IDLE_MILLIS = 200;
  private static final int FLIGHT_KILL_MILLIS = 3;
  private static final int SETTLE_MILLIS = 400;
  private static final int AROUND_MILLIS = 250;
  private static final TimeSource TIME = TimeSource.system();

  /** What happens to the primary, and when. */
  enum Kind {
    /** It is killed between two calls; the time of the next call. */
    CRASH_IDLE,
    /** It is killed in a call; the time from the kill to the reply. */
    CRASH_IN_FLIGHT,
    /** It is stopped between two calls; the time of the next call. */
    HANG,
    /** One of two active replicas is killed while calls go on; the longest of them. */
    ACTIVE
  }

  private final Kind kind;
  private final Pair pair;
  private final Lots lots;

  private FaultClient(Kind kind, Pair pair, Lots lots) {
    this.kind = kind;
    this.pair = pair;
    this.lots = lots;
  }

  /** Meets the faults and ends. */
  public static void main(String[] arguments) throws Exception {
    Kind kind = Kind.valueOf(arguments[0]);
    int faults = Integer.parseInt(arguments[1]);
    Style style = kind == Kind.ACTIVE ? Style.ACTIVE : Style.WARM_PASSIVE;
    long[] nanos = new long[faults];
    try (Pair pair = new Pair(style, Path.of(arguments[2]), List.of());
        ServiceClient client = ServiceClient.open(ClientOptions.of(pair))) {
      FaultClient run = new FaultClient(kind, pair, client.stub(Lots.class, "lots"));
      for (int fault = 0; fault < faults; fault++) {
        nanos[fault] = run.meet();
        System.err.printf("%s %.3f ms%n", kind, nanos[fault] / 1e6);
        pair.replacePrimary();
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
      }
    }
    Arrays.sort(nanos);
    System.out.println("p50 " + nanos[faults / 2] / 1e6);
    System.out.println("max " + nanos[faults - 1] / 1e6);
    System.exit(0);
  }

  private long meet() throws IOException, InterruptedException {
    for (int call = 1; call <= WARM_CALLS; call++) {
      lots.enter(call);
    }
    return switch (kind) {
      case CRASH_IDLE -> {
        pair.primary().kill();
        TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
        yield timed();
      }
      case CRASH_IN_FLIGHT -> crashInFlight();
      case HANG -> {
        pair.primary().signal("STOP");
        yield timed();
      }
      case ACTIVE -> longestAroundKill();
    };
  }

  private long timed() {
    long start = TIME.elapsedNanos();
    lots.enter(1);
    return TIME.elapsedNanos() - start;
  }

  private long crashInFlight() throws InterruptedException {
    AtomicLong end = new AtomicLong();
    long slow = pair.primary().pid();
    Thread caller =
        Thread.ofPlatform()
            .start(() -> {
              lots.look(slow);
              end.set(TIME.elapsedNanos());
            });
    TimeUnit.MILLISECONDS.sleep(FLIGHT_KILL_MILLIS);
    long start = TIME.elapsedNanos();
    pair.primary().kill();
    caller.join();
    return end.get() - start;
  }

  private long longestAroundKill() throws InterruptedException {
    long killAt = TIME.elapsedNanos() + TimeUnit.MILLISECONDS.toNanos(AROUND_MILLIS);
    long end = killAt + TimeUnit.MILLISECONDS.toNanos(AROUND_MILLIS);
    Thread killer =
        Thread.ofPlatform()
            .start(() -> {
              try {
                TimeUnit.NANOSECONDS.sleep(killAt - TIME.elapsedNanos());
                pair.primary().kill();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    long longest = 0;
    while (TIME.elapsedNanos() < end) {
      longest = Math.max(longest, timed());
    }
    killer.join();
    return longest;
  }
}
