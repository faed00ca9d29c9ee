package org.terrace.invocation.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.middleware.Endpoint;

/**
 * Prints how long a call takes that meets a fault, over two replicas in processes of their own:
 * {@code FailOverMain idle|flight|hang [faults] [baseline]}.
 */
final class FailOverMain {
  private static final int WARM_CALLS = 2_000;

  private FailOverMain() {}

  /** A naming that a manager would keep up to date: tells of a new primary when told. */
  static final class LocalNaming implements Naming {
    private final List<Consumer<ServiceReference>> watchers = new CopyOnWriteArrayList<>();
    private final Semaphore lookups = new Semaphore(0);
    private volatile ServiceReference reference;

    LocalNaming(String service) {
      reference = new ServiceReference(service, Style.WARM_PASSIVE, 1, 1, List.of());
    }

    /** Waits until it was asked so many times. */
    void awaitLookups(int count) throws InterruptedException {
      lookups.acquire(count);
    }

    void register(List<Endpoint> endpoints) {
      ServiceReference old = reference;
      reference =
          new ServiceReference(
              old.service(), Style.WARM_PASSIVE, old.epoch() + 1, old.version() + 1, endpoints);
      watchers.forEach(watcher -> watcher.accept(reference));
    }

    @Override
    public Optional<ServiceReference> resolve(String service) {
      lookups.release();
      return Optional.of(reference);
    }

    @Override
    public Watch watch(String service, Consumer<ServiceReference> handler) {
      watchers.add(handler);
      return () -> watchers.remove(handler);
    }

    @Override
    public void close() {}
  }

  /** Runs the faults. */
  public static void main(String[] arguments) throws Exception {
    String kind = arguments[0];
    int faults = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
    boolean baseline = arguments.length > 2 && arguments[2].equals("baseline");
    LocalNaming naming = new LocalNaming("lots");
    long[] micros = new long[faults];
    ReplicaProcess primary = ReplicaProcess.start("server0");
    ReplicaProcess backup = ReplicaProcess.start("server1");
    try (ServiceClient client =
        ServiceClient.open(
            ClientOptions.of(naming)
                .withFailOver(baseline ? FailOverOptions.none() : FailOverOptions.all()))) {
      naming.register(List.of(primary.endpoint(), backup.endpoint()));
      ReplicaProcess.Lots lots = client.stub(ReplicaProcess.Lots.class, "lots");
      for (int fault = 0; fault < faults; fault++) {
        for (int i = 0; i < WARM_CALLS; i++) {
          lots.enter(i);
        }
        micros[fault] = meet(kind, primary, lots) / 1_000;
        CallRecord record = client.attempts().getLast();
        System.out.println(record);
        System.out.println("  " + record.breakdown());
        if (kind.equals("hang")) {
          primary.signal("CONT");
        }
        primary.close();
        primary = backup;
        backup = ReplicaProcess.start("server" + (fault + 2));
        naming.register(List.of(primary.endpoint(), backup.endpoint()));
        settle();
      }
    } finally {
      primary.close();
      backup.close();
    }
    Arrays.sort(micros);
    System.out.printf(
        "%s%s: p50 %d us, max %d us of %d faults%n",
        kind, baseline ? ", baseline" : "", micros[faults / 2], micros[faults - 1], faults);
  }

  /** The time of a call that meets the fault; for one in flight, since the fault. */
  private static long meet(String kind, ReplicaProcess primary, ReplicaProcess.Lots lots)
      throws IOException, InterruptedException {
    TimeSource time = TimeSource.system();
    switch (kind) {
      case "idle" -> {
        primary.kill();
        new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
      }
      case "hang" -> primary.signal("STOP");
      case "flight" -> {
        List<Long> ends = new ArrayList<>();
        Thread caller =
            Thread.ofPlatform()
                .start(() -> {
                  lots.enterSlowly(1, 50, primary.endpoint().replica());
                  ends.add(time.elapsedNanos());
                });
        new CountDownLatch(1).await(2, TimeUnit.MILLISECONDS);
        long start = time.elapsedNanos();
        primary.kill();
        caller.join();
        return ends.getFirst() - start;
      }
      default -> throw new IllegalArgumentException(kind);
    }
    long start = time.elapsedNanos();
    lots.enter(1);
    return time.elapsedNanos() - start;
  }

  private static void settle() throws InterruptedException {
    new CountDownLatch(1).await(400, TimeUnit.MILLISECONDS);
  }
}
