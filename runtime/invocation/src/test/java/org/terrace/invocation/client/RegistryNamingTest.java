package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.invocation.softstate.ServiceRegistry;

/** Naming by what the replicas themselves know of each other. */
@Tag("real-processes")
@Tag("untimed")
class RegistryNamingTest {
  private static final long PATIENCE_SECONDS = 60;

  @Test
  void whoeverWatchesIsToldAgainAfterARoundThatFailed() throws Exception {
    CountDownLatch rounds = new CountDownLatch(2);
    try (ServiceServer server = ServiceServer.open(ServerOptions.of("replica1"))) {
      server.export(
          ServiceRegistry.NAME,
          ServiceRegistry.class,
          service ->
              List.of(
                  new ServiceRegistry.Listed(
                      "replica1",
                      server.endpoint().middleware(),
                      server.endpoint().host(),
                      server.endpoint().port())),
          Style.NONE);
      try (RegistryNaming naming =
              RegistryNaming.of(List.of(server.endpoint()), Duration.ofMillis(10));
          Naming.Watch watch =
              naming.watch(
                  "seats",
                  reference -> {
                    rounds.countDown();
                    throw new IllegalStateException("planted");
                  })) {
        assertThat(watch).isNotNull();
        assertThat(rounds.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      }
    }
  }
}
