package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/**
 * A process that meets faults of two replicas which it starts itself: {@code FaultClient KIND
 * FAULTS LOG [DATABASE-URL USER]} with a kind of {@link Kind}. It prints a line for each figure.
 */
public final class FaultClient {
  private static final int WARM_CALLS = 3_000;
  private static final int WARM_CALLS_STORED = 500;
  private static final int OWN_WORDS = 3;
  private static final int IDLE_MILLIS = 200;
  private static final int FLIGHT_KILL_MICROS = 500;
  private static final int SETTLE_MILLIS = 400;
  private static final long AROUND_NANOS = 250_000_000;
  private static final TimeSource TIME = TimeSource.system();

  /** A kind of fault: what happens to the primary, and when. */
  enum Kind {
    /** It is killed between two calls; the time of the next call. */
    CRASH_IDLE,
    /**
     * It is killed in a call; the time from the kill to the reply. A reply before it counts not.
     */
    CRASH_IN_FLIGHT,
    /** It is stopped between two calls; the time of the next call. */
    HANG,
    /** One of two active replicas is killed while calls go on; the longest of them after that. */
    ACTIVE;

    /** Those of a primary and a backup. */
    static final List<Kind> OF_WARM_PASSIVE = List.of(CRASH_IDLE, CRASH_IN_FLIGHT, HANG);

    FaultPart part() {
      return switch (this) {
        case CRASH_IDLE -> FaultPart.CRASH_IDLE;
        case CRASH_IN_FLIGHT -> FaultPart.CRASH_IN_FLIGHT;
        case HANG -> FaultPart.HANG;
        case ACTIVE -> FaultPart.ACTIVE;
      };
    }
  }

  private final Kind kind;
  private final Pair pair;
  private final Lots lots;
  private final List<Long> calmNanos = new ArrayList<>();

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
    List<String> database = List.of(arguments).subList(OWN_WORDS, arguments.length);
    int warmCalls = database.isEmpty() ? WARM_CALLS : WARM_CALLS_STORED;
    try (Pair pair = new Pair(style, Path.of(arguments[2]), database);
        ServiceClient client = ServiceClient.open(ClientOptions.of(pair))) {
      FaultClient run = new FaultClient(kind, pair, client.stub(Lots.class, "lots"));
      for (int fault = 0; fault < faults; ) {
        nanos[fault] = run.meet(warmCalls);
        System.err.printf(
            "%s %.3f ms%n%s%n", kind, nanos[fault] / 1e6, client.attempts().getLast());
        boolean met = nanos[fault] > 0;
        fault += met ? 1 : 0;
        pair.replacePrimary();
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
      }
      run.calmNanos.sort(null);
      if (!run.calmNanos.isEmpty()) {
        System.out.println("calm-p50 " + run.calmNanos.get(faults / 2) / 1e6);
      }
    }
    Arrays.sort(nanos);
    System.out.println("p50 " + nanos[faults / 2] / 1e6);
    System.out.println("max " + nanos[faults - 1] / 1e6);
    System.exit(0);
  }

  private long meet(int warmCalls) throws IOException, InterruptedException {
    for (int call = 1; call <= warmCalls; call++) {
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
      case ACTIVE -> longestAfterKill();
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
    TimeUnit.MICROSECONDS.sleep(FLIGHT_KILL_MICROS);
    long start = TIME.elapsedNanos();
    pair.primary().kill();
    caller.join();
    return end.get() - start;
  }

  /** The longest call since a kill; the longest before it goes to {@link #calmNanos}. */
  private long longestAfterKill() throws InterruptedException {
    calmNanos.add(longest(TIME.elapsedNanos() + AROUND_NANOS));
    AtomicLong killedAt = new AtomicLong(Long.MAX_VALUE);
    Thread killer =
        Thread.ofPlatform()
            .start(() -> {
              pair.primary().kill();
              killedAt.set(TIME.elapsedNanos());
            });
    long longest = longest(TIME.elapsedNanos() + AROUND_NANOS);
    killer.join();
    return longest;
  }

  private long longest(long untilNanos) {
    long longest = 0;
    while (TIME.elapsedNanos() < untilNanos) {
      longest = Math.max(longest, timed());
    }
    return longest;
  }
}
