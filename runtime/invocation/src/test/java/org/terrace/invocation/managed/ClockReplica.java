package org.terrace.invocation.managed;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.control.ControlSecret;
import org.terrace.control.Style;
import org.terrace.control.naming.Addresses;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;

/** A replica of {@link Clock} as an application writes it. */
public final class ClockReplica {
  private ClockReplica() {}

  /** Arguments: name, address, managers, and the file of their secret if they have one. */
  public static void main(String[] arguments) throws InterruptedException {
    String name = arguments[0];
    AtomicLong counted = new AtomicLong();
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(name)
                .withUnsharedReplies()
                .withAddress(Addresses.parseOne("address", arguments[1]))
                .withManager(Addresses.parse("managers", arguments[2]))
                .withControlSecret(
                    arguments.length > 3
                        ? ControlSecret.ofFile(Path.of(arguments[3]))
                        : ControlSecret.none()));
    Clock clock =
        new Clock() {
          @Override
          public String whoAnswers() {
            return name + " " + ProcessHandle.current().pid();
          }

          @Override
          public long count() {
            return counted.incrementAndGet();
          }
        };
    server.export("clock", Clock.class, clock, Style.WARM_PASSIVE);
    new CountDownLatch(1).await();
  }
}
