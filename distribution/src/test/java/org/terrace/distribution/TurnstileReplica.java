package org.terrace.distribution;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.control.Style;
import org.terrace.control.naming.Addresses;
import org.terrace.invocation.Update;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;

/** A replica of a small service: {@code TurnstileReplica NAME ADDRESS MANAGERS}. */
public final class TurnstileReplica {
  /** The service. */
  public interface Turnstile {
    /** Lets somebody through, and says how many there were. */
    @Update
    int pass();
  }

  private TurnstileReplica() {}

  /** Runs until it is ended. */
  public static void main(String[] arguments) throws InterruptedException {
    AtomicInteger passed = new AtomicInteger();
    ServiceServer.open(
            ServerOptions.of(arguments[0])
                .withUnsharedReplies()
                .withAddress(Addresses.parseOne("address", arguments[1]))
                .withManager(Addresses.parse("managers", arguments[2])))
        .export("turnstile", Turnstile.class, passed::incrementAndGet, Style.WARM_PASSIVE);
    new CountDownLatch(1).await();
  }
}
