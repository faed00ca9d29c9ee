package org.terrace.invocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.middleware.Endpoint;

/** A service whose state is in its primary's memory, and a client whose reference is old. */
@Tag("real-processes")
@Tag("untimed")
class PrimaryAloneTest {
  /** Says who ran the call. */
  public interface Who {
    @Update
    String update();

    @Read
    String read();
  }

  private final ServiceServer first = replica("first");
  private final ServiceServer second = replica("second");
  private Who who;
  private ServiceClient client;

  private static ServiceServer replica(String name) {
    ServiceServer server = ServiceServer.open(ServerOptions.of(name).withUnsharedReplies());
    server.export(
        "who",
        Who.class,
        new Who() {
          @Override
          public String update() {
            return name;
          }

          @Override
          public String read() {
            return name;
          }
        },
        Style.WARM_PASSIVE);
    return server;
  }

  @BeforeEach
  void open() {
    ServiceReference old =
        new ServiceReference(
            "who", Style.WARM_PASSIVE, 1, 1, List.of(second.endpoint(), first.endpoint()));
    client = ServiceClient.open(ClientOptions.of(Naming.fixed(old)).withoutHedging());
    who = client.stub(Who.class, "who");
  }

  @AfterEach
  void close() {
    client.close();
    first.close();
    second.close();
  }

  private void assign(int version, ServiceServer... order) {
    List<Endpoint> endpoints = List.of(order).stream().map(ServiceServer::endpoint).toList();
    ServiceReference reference =
        new ServiceReference("who", Style.WARM_PASSIVE, version, version, endpoints);
    first.assign(reference);
    second.assign(reference);
  }

  @Test
  void aBackupSendsUpdatesAwayAndAnswersReads() {
    assign(2, first, second);

    assertThat(who.update()).isEqualTo("first");
    assertThat(client.attempts().getLast().toString()).contains("second is not the primary of who");
    assertThat(List.of(who.read(), who.read())).containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void aBackupThatIsMadeThePrimaryRunsUpdatesAndAnOlderWordDoesNotChangeThat() {
    assign(3, second, first);
    assign(2, first, second);

    assertThat(who.update()).isEqualTo("second");
  }

  @Test
  void withoutAManagerWhoeverIsAskedRunsUpdates() {
    assertThat(who.update()).isEqualTo("second");
  }
}
