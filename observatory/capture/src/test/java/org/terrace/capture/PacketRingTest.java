package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.wire.file.PcapngWriter;

@Tag("real-processes")
class PacketRingTest {
  @TempDir Path folder;

  @BeforeEach
  void capturingIsPermitted() {
    assumeTrue(CaptureRights.ofThisProcess().builtIn(), "this process lacks the right CAP_NET_RAW");
  }

  @Test
  void aRingThatNobodyEmptiesCountsEveryPacketItLoses() throws Exception {
    int sent = 5000;
    NetworkInterfaceFacts link = NetworkInterfaceFacts.of("lo");
    CaptureOptions options = CaptureOptions.to(folder.resolve("ring.pcapng"));
    try (PacketRing ring =
            PacketRing.open(
                link,
                CaptureOptions.MINIMUM_RING_BYTES,
                CaptureFilter.networks("127.12.30.0/24"),
                CaptureOptions.MAXIMUM_SNAP_LENGTH);
        PcapngWriter file = CaptureFile.create(options, link.linkType());
        UdpTraffic traffic = UdpTraffic.between("127.12.30.1", "127.12.30.2")) {
      traffic.send(sent, 1000);
      while (ring.drain(file, 3 * PacketRing.RETIRE_MILLIS)) {
        assertThat(file.packets()).isLessThanOrEqualTo(sent);
      }
      ring.readStatistics();

      assertThat(ring.received()).isEqualTo(sent);
      assertThat(ring.dropped()).isPositive();
      assertThat(file.packets()).isPositive().isEqualTo(sent - ring.dropped());
    }
  }

  @Test
  void aStoppedRingLetsNothingIn() throws Exception {
    NetworkInterfaceFacts link = NetworkInterfaceFacts.of("lo");
    try (PacketRing ring =
            PacketRing.open(
                link,
                CaptureOptions.MINIMUM_RING_BYTES,
                CaptureFilter.networks("127.12.31.0/24"),
                CaptureOptions.MAXIMUM_SNAP_LENGTH);
        UdpTraffic traffic = UdpTraffic.between("127.12.31.1", "127.12.31.2")) {
      traffic.send(10, 100);
      ring.stop();
      traffic.send(1000, 100);
      ring.readStatistics();

      assertThat(ring.received()).isEqualTo(10);
    }
  }

  @Test
  void packetsOfSixtyFourKilobytesFitTheSmallestRing() throws Exception {
    CaptureOptions options =
        CaptureOptions.to(folder.resolve("large.pcapng"))
            .withMethod(CaptureMethod.BUILT_IN)
            .withRingBytes(CaptureOptions.MINIMUM_RING_BYTES)
            .withFilter(CaptureFilter.networks("127.12.32.0/24"));
    int largestDatagram = 65_507;
    PacketCapture capture = PacketCapture.open(options);
    try (UdpTraffic traffic = UdpTraffic.between("127.12.32.1", "127.12.32.2")) {
      traffic.send(1, largestDatagram);
    }
    capture.close();

    assertThat(PcapngText.read(options.output()).packets)
        .singleElement()
        .satisfies(packet -> assertThat(packet.bytes()).hasSize(14 + 20 + 8 + largestDatagram));
  }
}
