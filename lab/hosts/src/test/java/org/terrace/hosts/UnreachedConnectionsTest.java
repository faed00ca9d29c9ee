package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Launch;
import org.terrace.nodes.fault.Hold;

/** The connections of a server whose packets real rules of the kernel drop, by their addresses. */
@Timeout(120)
@Tag("real-processes")
class UnreachedConnectionsTest {
  private static final String NAME = "app1";
  private static final String ADDRESS = "127.94.3.1";
  private static final String BEHIND = "127.94.3.2";

  @TempDir private Path folder;

  /** A server that connects to the one behind it, from an address or from any. */
  static final class Client {
    private Client() {}

    public static void main(String[] arguments) throws IOException {
      int port = Integer.parseInt(arguments[1]);
      InetAddress behind = InetAddress.ofLiteral(arguments[0]);
      try (Socket socket =
          arguments.length > 2
              ? new Socket(behind, port, InetAddress.ofLiteral(arguments[2]), 0)
              : new Socket(behind, port)) {
        var _ = socket.getInputStream().read();
      }
    }
  }

  private Map<String, String> factsOfCut(String... source) throws IOException {
    try (ServerSocket behind = new ServerSocket(0, 50, InetAddress.ofLiteral(BEHIND));
        LocalServerHost host = new LocalServerHost("local", folder, TimeSource.system())) {
      HoldPlan plan = new HoldPlan.Cut(new Endpoint(NAME, ADDRESS, 8080));
      try {
        host.requirePermitted(plan);
      } catch (TerraceException e) {
        Assumptions.abort(e.getMessage());
      }
      List<String> arguments = new ArrayList<>();
      arguments.add(BEHIND);
      arguments.add(Integer.toString(behind.getLocalPort()));
      arguments.addAll(List.of(source));
      List<String> command =
          JavaCommand.small(List.of(), Client.class, arguments.toArray(String[]::new));
      host.start(new Launch(NAME, command, Map.of(), Path.of("/"), true));
      try (Socket accepted = behind.accept()) {
        Hold cut = host.hold(plan);
        cut.begin();
        assertThat(accepted.isConnected()).isTrue();
        return cut.end();
      }
    }
  }

  @Test
  void aConnectionFromAnotherAddressThanItsServersIsNotReachedByACut() throws Exception {
    Map<String, String> facts = factsOfCut();

    assertThat(facts).containsEntry("reachedConnections", "0");
    assertThat(facts.get("unreachedConnections"))
        .startsWith("1, such as 127.0.0.1:")
        .contains(" to " + BEHIND + ":");
  }

  @Test
  void aConnectionFromItsServersAddressIs() throws Exception {
    assertThat(factsOfCut(ADDRESS))
        .containsEntry("reachedConnections", "1")
        .doesNotContainKey("unreachedConnections");
  }
}
