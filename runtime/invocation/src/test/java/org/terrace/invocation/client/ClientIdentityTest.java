package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.Update;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;

/** The identities by which replicas tell clients and their requests apart. */
@Tag("real-processes")
@Tag("untimed")
class ClientIdentityTest {
  /** Sells seats. */
  interface Seats {
    @Update
    int sell();
  }

  @Test
  void clientsOfOneOptionsObjectAreDifferentClients() {
    AtomicInteger sold = new AtomicInteger();
    try (ServiceServer server = ServiceServer.open(ServerOptions.of("server1"))) {
      server.export("seats", Seats.class, sold::incrementAndGet, Style.NONE);
      ClientOptions options =
          ClientOptions.of(Naming.fixed("seats", Style.NONE, server.endpoint()));
      for (int reopened = 0; reopened < 2; reopened++) {
        try (ServiceClient a = ServiceClient.open(options);
            ServiceClient b = ServiceClient.open(options)) {
          assertThat(a.client()).isNotEqualTo(b.client());
          assertThat(a.stub(Seats.class, "seats").sell()).isEqualTo(2 * reopened + 1);
          assertThat(b.stub(Seats.class, "seats").sell()).isEqualTo(2 * reopened + 2);
        }
      }
    }
    assertThat(sold).hasValue(4);
  }

  @Test
  void severalReplicasWithUpdatesAndNoSharedRepliesAreRefused() {
    AtomicInteger sold = new AtomicInteger();
    try (ServiceServer server = ServiceServer.open(ServerOptions.of("server1"))) {
      for (Style style : new Style[] {Style.WARM_PASSIVE, Style.ACTIVE}) {
        assertThatThrownBy(() -> server.export("seats", Seats.class, sold::incrementAndGet, style))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("ServerOptions.withDatabase");
      }
    }
  }
}
