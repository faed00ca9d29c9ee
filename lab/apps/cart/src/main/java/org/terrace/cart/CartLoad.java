package org.terrace.cart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.terrace.cart.process.Flags;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.invocation.ClientOptions;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Probes;
import org.terrace.invocation.softstate.SoftStateClient;
import org.terrace.invocation.softstate.SoftStateCounters;

/**
 * Puts load on the cart through one front end, and checks what it is told: a read is stale if it
 * does not reflect an update that was acknowledged before the read was sent, and at the end every
 * replica must hold every acknowledged update, none of them twice.
 */
public final class CartLoad {
  private static final int BIN_SECONDS = 2;
  private static final int CSV_ROWS_MAX = 2_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000 * NANOS_PER_MILLI;

  private final LoadOptions options;
  private final ShoppingCart cart;
  private final TimeSource time = TimeSource.system();
  private final Zipf zipf;
  private final AtomicIntegerArray issued;
  private final AtomicIntegerArray acknowledged;
  private final byte[] object;
  private final Tally tally;
  private final long startNanos;
  private final long endNanos;

  private CartLoad(LoadOptions options, ShoppingCart cart) {
    this.options = options;
    this.cart = cart;
    zipf = new Zipf(options.objects(), options.zipf());
    issued = new AtomicIntegerArray(options.objects());
    acknowledged = new AtomicIntegerArray(options.objects());
    object = new byte[options.bytes()];
    tally = new Tally(options.durationSeconds(), BIN_SECONDS);
    startNanos = time.elapsedNanos() + options.warmUpSeconds() * NANOS_PER_SECOND;
    endNanos = startNanos + options.durationSeconds() * NANOS_PER_SECOND;
  }

  /** Runs the load; the exit code is 1 if an acknowledged update is missing or there twice. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    try {
      System.exit(run(LoadOptions.of(new Flags(arguments))) ? 0 : 1);
    } catch (TerraceException e) {
      System.err.println("cart: " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: CartLoad " + LoadOptions.USAGE);
      }
      System.exit(e.code().exitCode());
    }
  }

  /** Runs the load, writes its files, and says whether every acknowledged update is there once. */
  static boolean run(LoadOptions options) throws InterruptedException, IOException {
    Probes probes = Probes.of("clients", options.csv().isPresent() ? CSV_ROWS_MAX : 1);
    ClientOptions client =
        ClientOptions.of(SoftStateProcess.naming(List.of(CartServer.SERVICE), options.replicas()));
    if (options.csv().isPresent()) {
      client = client.withProbes(probes);
    }
    try (SoftStateClient frontEnd = SoftStateClient.open(client, options.softState())) {
      CartLoad load = new CartLoad(options, frontEnd.stub(ShoppingCart.class, CartServer.SERVICE));
      load.putLoad();
      SoftStateCounters counters = frontEnd.caller(CartServer.SERVICE).counters();
      FinalCheck check = FinalCheck.of(options, load.acknowledged, load.issued);
      String json = load.summary(counters, check, probes.dropped());
      System.out.println(json);
      if (options.csv().isPresent()) {
        probes.write(options.csv().get());
      }
      if (options.json().isPresent()) {
        writeAtomically(options.json().get(), json);
      }
      return check.isGood();
    }
  }

  private void putLoad() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    boolean onlyReads = options.updateMillis() > 0;
    for (int i = 0; i < options.clients(); i++) {
      RandomGenerator random = generator(options.seed() + i);
      threads.add(Thread.startVirtualThread(() -> runClient(random, onlyReads)));
    }
    if (onlyReads) {
      RandomGenerator random = generator(~options.seed());
      threads.add(Thread.startVirtualThread(() -> runUpdates(random)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static RandomGenerator generator(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  private void runClient(RandomGenerator random, boolean onlyReads) {
    long thinkNanos = options.thinkMillis() * NANOS_PER_MILLI;
    if (thinkNanos > 0) {
      LockSupport.parkNanos(random.nextLong(thinkNanos));
    }
    while (time.elapsedNanos() < endNanos) {
      int item = zipf.next(random);
      if (onlyReads || random.nextDouble() < options.readShare()) {
        read(item);
      } else {
        update(item);
      }
      LockSupport.parkNanos(thinkNanos);
    }
  }

  private void runUpdates(RandomGenerator random) {
    long periodNanos = options.updateMillis() * NANOS_PER_MILLI;
    long stopNanos = Math.min(endNanos, startNanos + options.updateSeconds() * NANOS_PER_SECOND);
    for (long due = time.elapsedNanos(); due < stopNanos; due += periodNanos) {
      LockSupport.parkNanos(due - time.elapsedNanos());
      update(zipf.next(random));
    }
  }

  private void read(int item) {
    int expected = acknowledged.get(item);
    long begin = time.elapsedNanos();
    try {
      CartItem found = cart.get("item-" + item);
      long end = time.elapsedNanos();
      tally.read(end - startNanos, end - begin, found.count() < expected);
    } catch (InvocationException e) {
      tally.readFailed(time.elapsedNanos() - startNanos, String.valueOf(e.getMessage()));
    }
  }

  private void update(int item) {
    long begin = time.elapsedNanos();
    issued.incrementAndGet(item);
    try {
      cart.put("item-" + item, object);
      acknowledged.incrementAndGet(item);
      long end = time.elapsedNanos();
      tally.update(end - startNanos, end - begin);
    } catch (InvocationException e) {
      boolean unknown = e.outcome() != Outcome.NOT_EXECUTED;
      if (!unknown) {
        issued.decrementAndGet(item);
      }
      tally.updateFailed(time.elapsedNanos() - startNanos, unknown, String.valueOf(e.getMessage()));
    }
  }

  private String summary(SoftStateCounters counters, FinalCheck check, long csvDropped) {
    return """
    {
      "clients": %d,
      "thinkMillis": %d,
      "redundancy": %d,
      "discovery": "%s",
      "seed": %d,
    %s,
      "hedges": %d,
      "askedAgain": %d,
      "lateReplies": %d,
      "csvRowsDropped": %d,
    %s
    }\
    """
        .formatted(
            options.clients(),
            options.thinkMillis(),
            options.softState().redundancy(),
            options.softState().discovery(),
            options.seed(),
            tally.toJson(options.durationSeconds()),
            counters.hedges(),
            counters.askedAgain(),
            counters.lateReplies(),
            csvDropped,
            check.toJson());
  }

  private static void writeAtomically(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, text + System.lineSeparator());
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
