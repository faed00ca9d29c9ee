package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Set;
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
class PacketRulesTest {
  private static final String ADDRESS = "127.18.1.1";
  private static final String ADDRESS_OF_CLIENT = "127.18.9.1";
  private static final int PATIENCE_MILLIS = 500;

  @BeforeEach
  void requirePermitted() {
    try {
      PacketRules.openings(PacketRules.NOBODY).tryOut();
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
      PacketRules drop = PacketRules.openings(new Endpoint("web1", ADDRESS, server.getLocalPort()));
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

  /** A fault directly behind another begins while the one before is about to end. */
  @Test
  void aCutThatBeginsBeforeAnotherFaultOfItsServerEndsOutlastsIt() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS))) {
      InetSocketAddress place = new InetSocketAddress(ADDRESS, server.getLocalPort());
      Endpoint endpoint = new Endpoint("web1", ADDRESS, server.getLocalPort());
      PacketRules before = PacketRules.bandwidth(endpoint, 64 << 20);
      PacketRules cut = PacketRules.cut(endpoint);
      before.begin();
      try {
        cut.begin();
        assertThat(before.end()).as("what it dropped itself").containsEntry("droppedPackets", "0");
        assertThat(connects(place)).isFalse();
      } finally {
        before.end();
        assertThat(Integer.parseInt(cut.end().get("droppedPackets"))).isPositive();
      }
      assertThat(connects(place)).isTrue();
    }
  }

  @Test
  void aServerThatCannotBeNamedInARuleIsRefusedWithTheReason() {
    PacketRules drop = PacketRules.openings(new Endpoint("web1", "nowhere.invalid", 80));

    assertThatThrownBy(drop::begin)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("syn-drop: packets of web1 cannot be dropped here");
  }

  @Test
  void aCutServerIsSilentBothWaysAndSpeaksAgainAfterwards() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS));
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      PacketRules cut = PacketRules.cut(new Endpoint("web1", ADDRESS, server.getLocalPort()));
      cut.begin();
      try {
        accepted.getOutputStream().write(7);
        assertThatThrownBy(() -> socket.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
        assertThat(connects(new InetSocketAddress(ADDRESS, server.getLocalPort()))).isFalse();
      } finally {
        assertThat(Integer.parseInt(cut.end().get("droppedPackets"))).isPositive();
      }
      socket.setSoTimeout(30_000);
      assertThat(socket.getInputStream().read()).as("sent again").isEqualTo(7);
    }
  }

  @Test
  void thePortsOfAProcessAreSilentWhateverTheirAddress() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS));
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      accepted.setSoTimeout(PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      PacketRules cut = PacketRules.ports("process 7", Set.of(server.getLocalPort(), 1));
      cut.begin();
      try {
        socket.getOutputStream().write(7);
        accepted.getOutputStream().write(7);
        assertThatThrownBy(() -> accepted.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> socket.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
        assertThat(connects(new InetSocketAddress(ADDRESS, server.getLocalPort()))).isFalse();
      } finally {
        assertThat(Integer.parseInt(cut.end().get("droppedPackets"))).isPositive();
      }
      socket.setSoTimeout(30_000);
      assertThat(socket.getInputStream().read()).as("sent again").isEqualTo(7);
    }
  }

  /** Datagrams are not sent again, so that what arrives tells what was lost. */
  @Test
  void someDatagramsAreLostByChance() throws IOException {
    int sent = 4_000;
    try (DatagramSocket server = new DatagramSocket(0, InetAddress.ofLiteral(ADDRESS));
        DatagramSocket client = new DatagramSocket(0, InetAddress.ofLiteral(ADDRESS_OF_CLIENT))) {
      server.setReceiveBufferSize(8 << 20);
      PacketRules loss =
          PacketRules.loss(new Endpoint("web1", ADDRESS, server.getLocalPort()), 0.25);
      loss.begin();
      try {
        for (int number = 0; number < sent; number++) {
          client.send(new DatagramPacket(new byte[16], 16, server.getLocalSocketAddress()));
        }
      } finally {
        // Six standard deviations of a binomial distribution: missed once in 500 million builds.
        assertThat(Integer.parseInt(loss.end().get("droppedPackets"))).isBetween(836, 1_164);
      }
    }
  }

  @Test
  void aLossOfAllLosesAll() throws IOException {
    try (DatagramSocket server = new DatagramSocket(0, InetAddress.ofLiteral(ADDRESS));
        DatagramSocket client = new DatagramSocket(0, InetAddress.ofLiteral(ADDRESS_OF_CLIENT))) {
      PacketRules loss = PacketRules.loss(new Endpoint("web1", ADDRESS, server.getLocalPort()), 1);
      loss.begin();
      try {
        for (int number = 0; number < 100; number++) {
          client.send(new DatagramPacket(new byte[16], 16, server.getLocalSocketAddress()));
        }
      } finally {
        assertThat(loss.end()).containsEntry("droppedPackets", "100");
      }
    }
  }

  /** Whoever came by ssh keeps the connection, and whatever is no TCP is dropped all the same. */
  @Test
  void aCutSparesTheConnectionOfSshAlone() throws IOException {
    try (ServerSocket shell = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS));
        ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS));
        DatagramSocket datagrams = new DatagramSocket(0, InetAddress.ofLiteral(ADDRESS));
        DatagramSocket client = new DatagramSocket(0, InetAddress.ofLiteral(ADDRESS_OF_CLIENT))) {
      datagrams.setSoTimeout(PATIENCE_MILLIS);
      PacketRules cut =
          PacketRules.both(
              "cut",
              new Endpoint("web1", ADDRESS, server.getLocalPort()),
              "counter drop",
              "127.0.0.1 40000 127.0.0.1 " + shell.getLocalPort());
      cut.begin();
      try {
        client.send(new DatagramPacket(new byte[1], 1, datagrams.getLocalSocketAddress()));
        assertThatThrownBy(() -> datagrams.receive(new DatagramPacket(new byte[1], 1)))
            .isInstanceOf(SocketTimeoutException.class);
        assertThat(connects(new InetSocketAddress(ADDRESS, server.getLocalPort()))).isFalse();
        assertThat(connects(new InetSocketAddress(ADDRESS, shell.getLocalPort()))).isTrue();
      } finally {
        assertThat(Integer.parseInt(cut.end().get("droppedPackets"))).isPositive();
      }
    }
  }

  @Test
  void whatExceedsABandwidthIsDropped() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS));
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      PacketRules narrow =
          PacketRules.bandwidth(new Endpoint("web1", ADDRESS, server.getLocalPort()), 256 << 10);
      narrow.begin();
      Thread sender =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  accepted.getOutputStream().write(new byte[2 << 20]);
                } catch (IOException e) {
                  assert e != null; // the test is over
                }
              });
      socket.setSoTimeout(PATIENCE_MILLIS);
      int arrived = 0;
      byte[] buffer = new byte[1 << 16];
      try {
        for (int read = 0; read >= 0 && arrived < 2 << 20; arrived += read) {
          read = socket.getInputStream().read(buffer);
        }
      } catch (SocketTimeoutException e) {
        assert e != null; // what was dropped is awaited
      }
      assertThat(arrived).isLessThan(1 << 20);
      assertThat(Integer.parseInt(narrow.end().get("droppedPackets"))).isPositive();
      sender.interrupt();
    }
  }
}
