package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Endpoints.Endpoint;

/** Real connections that the real kernel drops, where this machine permits it. */
@Timeout(60)
@Tag("real-processes")
class SynDropTest {
  private static final String ADDRESS = "127.18.1.1";
  private static final int PATIENCE_MILLIS = 500;

  @BeforeEach
  void requirePermitted() {
    try {
      SynDrop.requirePermitted();
    } catch (TerraceException e) {
      Assumptions.abort(e.getMessage());
    }
  }

  private static boolean connects(InetSocketAddress place) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(place, PATIENCE_MILLIS);
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void newConnectionsAreDroppedOthersGoOnAndAllIsWellAfterwards() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS))) {
      InetSocketAddress place = new InetSocketAddress(ADDRESS, server.getLocalPort());
      SynDrop drop = new SynDrop(new Endpoint("web1", ADDRESS, server.getLocalPort()));
      try (Socket before = new Socket()) {
        before.connect(place, PATIENCE_MILLIS);
        try (Socket accepted = server.accept()) {
          drop.begin();
          assertThat(connects(place)).isFalse();
          before.getOutputStream().write(7);
          assertThat(accepted.getInputStream().read()).isEqualTo(7);

          Map<String, String> facts = drop.end();
          assertThat(Integer.parseInt(facts.get("droppedPackets"))).isPositive();
          assertThat(connects(place)).isTrue();
        }
      } finally {
        drop.end();
      }
    }
  }

  @Test
  void aServerThatCannotBeNamedInARuleIsRefusedWithTheReason() {
    SynDrop drop = new SynDrop(new Endpoint("web1", "nowhere.invalid", 80));

    assertThatThrownBy(drop::begin)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("syn-drop: connections to web1 cannot be dropped here");
  }
}
