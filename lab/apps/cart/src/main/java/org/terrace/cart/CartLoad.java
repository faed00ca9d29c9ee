package org.terrace.cart;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.terrace.cart.process.ReplicaSource;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.control.Naming;
import org.terrace.core.TimeSource;
import org.terrace.core.ZipfDistribution;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Probes;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.softstate.SoftStateCounters;

/**
 * The load on the cart through one front end, which checks what it is told: a read is stale if it
 * does not reflect an update that was acknowledged before the read was sent, and at the end every
 * replica must hold every acknowledged update, none of them twice.
 */
public final class CartLoad {
  private static final int BIN_SECONDS = 2;
  private static final int POPULATING = 16;
  private static final int CSV_ROWS_MAX = 2_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000 * NANOS_PER_MILLI;

  private final LoadOptions options;
  private final ShoppingCart cart;
  private final TimeSource time = TimeSource.system();
  private final ZipfDistribution zipf;
  private final AtomicIntegerArray issued;
  private final AtomicIntegerArray acknowledged;
  private final byte[] object;
  private final Tally tally;
  private final Tally watchedTally;
  private final long startEpochNanos;
  private final long startNanos;
  private final long endNanos;

  private CartLoad(LoadOptions options, ShoppingCart cart) throws InterruptedException {
    this.options = options;
    this.cart = cart;
    zipf = new ZipfDistribution(options.objects(), options.zipf());
    issued = new AtomicIntegerArray(options.objects());
    acknowledged = new AtomicIntegerArray(options.objects());
    object = new byte[options.bytes()];
    if (options.populate()) {
      populate();
    }
    tally = new Tally(options.durationSeconds(), BIN_SECONDS);
    watchedTally = new Tally(options.durationSeconds(), BIN_SECONDS);
    long warmUpNanos = options.warmUpSeconds() * NANOS_PER_SECOND;
    startEpochNanos = time.epochNanos() + warmUpNanos;
    startNanos = time.elapsedNanos() + warmUpNanos;
    endNanos = startNanos + options.durationSeconds() * NANOS_PER_SECOND;
  }

  /** Runs the load; the exit code is 1 if an acknowledged update is missing or there twice. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    System.exit(
        SoftStateProcess.run(
            "CartLoad", LoadOptions.USAGE, arguments, flags -> run(LoadOptions.of(flags)) ? 0 : 1));
  }

  /** Runs the load, writes its files, and says whether every acknowledged update is there once. */
  static boolean run(LoadOptions options) throws InterruptedException, IOException {
    Probes probes = Probes.of("clients", options.csv().isPresent() ? CSV_ROWS_MAX : 1);
    try (Naming naming = options.source().naming(List.of(CartServer.SERVICE));
        ServiceClient frontEnd = ServiceClient.open(client(options, naming, probes))) {
      CartLoad load = new CartLoad(options, frontEnd.stub(ShoppingCart.class, CartServer.SERVICE));
      load.putLoad();
      SoftStateCounters counters =
          frontEnd.softStateCounters(CartServer.SERVICE).orElse(SoftStateCounters.NONE);
      Map<String, InetSocketAddress> replicas = ReplicaSource.found(naming, CartServer.SERVICE);
      FinalCheck check = FinalCheck.of(options, replicas, load.acknowledged, load.issued);
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

  private static ClientOptions client(LoadOptions options, Naming naming, Probes probes) {
    ClientOptions client = ClientOptions.of(naming).withSoftState(options.softState());
    return options.csv().isPresent() ? client.withProbes(probes) : client;
  }

  /** Puts each object once, some at a time. */
  private void populate() throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < POPULATING; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int item = next.getAndIncrement();
                item < options.objects();
                item = next.getAndIncrement()) {
              put(item);
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void putLoad() throws InterruptedException {
    if (options.watch().isEmpty()) {
      putLoad(Optional.empty());
      return;
    }
    Naming watched = SoftStateProcess.naming(List.of(CartServer.SERVICE), options.watched());
    try (ServiceClient frontEnd =
        ServiceClient.open(ClientOptions.of(watched).withSoftState(options.softState()))) {
      putLoad(Optional.of(frontEnd.stub(ShoppingCart.class, CartServer.SERVICE)));
    }
  }

  private void putLoad(Optional<ShoppingCart> watched) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    boolean onlyReads = options.updateMillis() > 0;
    for (int i = 0; i < options.clients(); i++) {
      RandomGenerator random = generator(options.seed() + i);
      threads.add(Thread.startVirtualThread(() -> runClient(random, cart, tally, onlyReads)));
      RandomGenerator other = generator(options.seed() + options.clients() + i);
      watched.ifPresent(some ->
          threads.add(Thread.startVirtualThread(() -> runClient(other, some, watchedTally, true))));
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

  private void runClient(RandomGenerator random, ShoppingCart from, Tally told, boolean onlyReads) {
    long thinkNanos = options.thinkMillis() * NANOS_PER_MILLI;
    if (thinkNanos > 0) {
      LockSupport.parkNanos(random.nextLong(thinkNanos));
    }
    while (time.elapsedNanos() < endNanos) {
      int item = zipf.next(random);
      if (onlyReads || random.nextDouble() < options.readShare()) {
        read(from, told, item);
      } else {
        update(item);
      }
      LockSupport.parkNanos(thinkNanos);
    }
  }

  private void runUpdates(RandomGenerator random) {
    long periodNanos = options.updateMillis() * NANOS_PER_MILLI;
    long stopNanos = Math.min(endNanos, startNanos + options.updateSeconds() * NANOS_PER_SECOND);
    long due = time.elapsedNanos();
    while (time.elapsedNanos() < stopNanos) {
      update(zipf.next(random));
      due += periodNanos;
      LockSupport.parkNanos(due - time.elapsedNanos());
    }
  }

  private void read(ShoppingCart from, Tally told, int item) {
    int expected = acknowledged.get(item);
    long begin = time.elapsedNanos();
    try {
      CartItem found = from.get(options.item(item));
      long end = time.elapsedNanos();
      told.read(end - startNanos, end - begin, found.count() < expected);
    } catch (InvocationException e) {
      told.readFailed(time.elapsedNanos() - startNanos, String.valueOf(e.getMessage()));
    }
  }

  private void update(int item) {
    long begin = time.elapsedNanos();
    Optional<InvocationException> failure = put(item);
    long end = time.elapsedNanos();
    if (failure.isEmpty()) {
      tally.update(end - startNanos, end - begin);
    } else {
      tally.updateFailed(
          end - startNanos,
          failure.get().outcome() != Outcome.NOT_EXECUTED,
          String.valueOf(failure.get().getMessage()));
    }
  }

  /** Puts the object once more, and says why it failed if it did. */
  private Optional<InvocationException> put(int item) {
    issued.incrementAndGet(item);
    try {
      cart.put(options.item(item), object);
      acknowledged.incrementAndGet(item);
      return Optional.empty();
    } catch (InvocationException e) {
      if (e.outcome() == Outcome.NOT_EXECUTED) {
        issued.decrementAndGet(item);
      }
      return Optional.of(e);
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
      "startEpochMillis": %d,
      "endEpochMillis": %d,
    %s,
      "watched": {
    %s
      },
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
            startEpochNanos / NANOS_PER_MILLI,
            (startEpochNanos + endNanos - startNanos) / NANOS_PER_MILLI,
            tally.toJson(options.durationSeconds()),
            watchedTally.toJson(options.durationSeconds()),
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
