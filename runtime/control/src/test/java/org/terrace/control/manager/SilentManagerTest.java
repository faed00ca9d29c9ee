package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.link.Link;
import org.terrace.control.naming.Addresses;
import org.terrace.control.naming.NamingProcess;
import org.terrace.middleware.Endpoint;

/** A manager that says nothing any more, as one whose host vanished. */
@Tag("real-processes")
@Tag("untimed")
class SilentManagerTest {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final Endpoint REPLICA = new Endpoint("seats-9-4", "terrace", "127.0.0.1", 1, "");

  @TempDir private Path directory;

  @Test
  @Tag("long")
  void anAgentTurnsFromAManagerThatSaidItWasThereAndSaysNothingMore() throws Exception {
    try (ServerSocket door = new ServerSocket()) {
      door.bind(new InetSocketAddress("127.63.6.3", 0));
      door.setSoTimeout(PATIENCE_MILLIS);
      InetSocketAddress address = (InetSocketAddress) door.getLocalSocketAddress();
      try (ReplicaAgent _ = agent(address);
          Link vanished = Link.accept(door.accept(), ControlSecret.none())) {
        assertThat(hello(vanished)).isEqualTo(REPLICA);
        vanished.send(ManagerMessage.encode(new ManagerMessage.Beat(0)));
        try (Link again = Link.accept(door.accept(), ControlSecret.none())) {
          assertThat(hello(again)).isEqualTo(REPLICA);
        }
      }
    }
  }

  @Test
  void aManagerTellsItsReplicasThatItIsThere() throws Exception {
    try (Processes processes = new Processes()) {
      String naming =
          processes.start(
              "naming",
              Processes.java(
                  NamingProcess.class,
                  "--listen",
                  "127.63.6.4:0",
                  "--directory",
                  directory.resolve("names").toString()),
              directory.resolve("naming.log"));
      String manager =
          processes.start(
              "manager",
              Processes.java(
                  ManagerProcess.class,
                  "--managers",
                  "127.63.6.5:0",
                  "--naming",
                  naming,
                  "--service",
                  "seats",
                  "--degree",
                  "1",
                  "--directory",
                  directory.resolve("replicas").toString(),
                  "--command",
                  "false {name}"),
              directory.resolve("manager.log"));
      Duration patience = Duration.ofMillis(PATIENCE_MILLIS);
      try (Link link =
          Link.connect(Addresses.parseOne("manager", manager), patience, ControlSecret.none())) {
        link.endAfterSilenceOf(patience);
        // Of a service unknown to the manager, so that it is not missed for its silence.
        link.send(
            ManagerMessage.encode(new ManagerMessage.ReplicaHello("stalls", REPLICA, 1L << 40)));
        for (int i = 0; i < 2; i++) {
          assertThat(ManagerMessage.decode(link.receive())).isEqualTo(new ManagerMessage.Beat(0));
        }
      }
    }
  }

  private static Endpoint hello(Link link) throws Exception {
    ManagerMessage message = ManagerMessage.decode(link.receive());
    return ((ManagerMessage.ReplicaHello) message).endpoint();
  }

  private static ReplicaAgent agent(InetSocketAddress manager) {
    return ReplicaAgent.open(
        "seats",
        REPLICA,
        List.of(manager),
        ControlSecret.none(),
        () -> true,
        () -> 0,
        new ReplicaAgent.Listener() {
          @Override
          public void assigned(ServiceReference reference) {
            // There is nothing to serve.
          }

          @Override
          public void drain() {
            // There are no calls.
          }
        });
  }
}
