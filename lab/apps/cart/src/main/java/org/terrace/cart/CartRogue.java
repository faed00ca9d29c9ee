package org.terrace.cart;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.core.Flags;
import org.terrace.core.TimeSource;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.softstate.SoftStateOptions;

/**
 * Rogue clients that overload some replicas of the cart: each asks one victim, without a pause, for
 * calls that keep its processors busy. A process apart from the load, so that the load can be
 * measured beside it.
 */
public final class CartRogue {
  static final String USAGE =
      """
      --replicas NAME=ADDRESS:PORT,... [--clients 128] [--after-s 0] [--duration-s 30]
        [--burn-micros 1000]
      The replicas are the victims; the clients are spread over them in turn.\
      """;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private CartRogue() {}

  /** Runs the rogue clients and prints how many of their calls were answered and failed. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    int exitCode =
        SoftStateProcess.run(
            "CartRogue",
            USAGE,
            arguments,
            flags -> {
              run(flags);
              return 0;
            });
    System.exit(exitCode);
  }

  private static void run(Flags flags) throws InterruptedException {
    var victims = SoftStateProcess.replicas(flags.text("--replicas"));
    int clients = flags.number("--clients", 128, 1, 10_000);
    int afterSeconds = flags.number("--after-s", 0, 0, 86_400);
    int durationSeconds = flags.number("--duration-s", 30, 1, 86_400);
    int burnMicros = flags.number("--burn-micros", 1000, 0, 1_000_000);
    flags.end();
    TimeSource time = TimeSource.system();
    List<ServiceClient> frontEnds = new ArrayList<>();
    List<ShoppingCart> carts = new ArrayList<>();
    victims.forEach((name, address) -> {
      ServiceClient frontEnd =
          ServiceClient.open(
              ClientOptions.of(
                      SoftStateProcess.naming(List.of(CartServer.SERVICE), Map.of(name, address)))
                  .withDeadline(PATIENCE)
                  .withSoftState(SoftStateOptions.defaults().withHedgeShareMax(0)));
      frontEnds.add(frontEnd);
      carts.add(frontEnd.stub(ShoppingCart.class, CartServer.SERVICE));
    });
    LockSupport.parkNanos(afterSeconds * NANOS_PER_SECOND);
    long startMillis = time.epochNanos() / NANOS_PER_MILLI;
    long endNanos = time.elapsedNanos() + durationSeconds * NANOS_PER_SECOND;
    LongAdder answered = new LongAdder();
    LongAdder failed = new LongAdder();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      ShoppingCart cart = carts.get(i % carts.size());
      threads.add(
          Thread.startVirtualThread(() -> {
            while (time.elapsedNanos() < endNanos) {
              try {
                cart.burn(burnMicros);
                answered.increment();
              } catch (InvocationException e) {
                failed.increment();
              }
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    frontEnds.forEach(ServiceClient::close);
    System.out.printf(
        "{\"startEpochMillis\": %d, \"endEpochMillis\": %d, \"rogueCallsAnswered\": %d,"
            + " \"rogueCallsFailed\": %d}%n",
        startMillis, time.epochNanos() / NANOS_PER_MILLI, answered.sum(), failed.sum());
  }
}
