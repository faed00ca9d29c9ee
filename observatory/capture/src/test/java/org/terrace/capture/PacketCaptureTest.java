package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

@Tag("real-processes")
class PacketCaptureTest {
  private static final int STATISTICS_RECEIVED = 4;
  private static final int STATISTICS_DROPPED = 7;

  @TempDir Path folder;

  @BeforeEach
  void capturingIsPermitted() {
    assumeTrue(CaptureRights.ofThisProcess().builtIn(), "this process lacks the right CAP_NET_RAW");
  }

  private CaptureOptions options(String network) {
    return CaptureOptions.to(folder.resolve("capture.pcapng"))
        .withMethod(CaptureMethod.BUILT_IN)
        .withFilter(CaptureFilter.networks(network));
  }

  @Test
  void everyPacketIsWrittenExactlyOnce() throws Exception {
    int sent = 20_000;
    CaptureOptions options = options("127.12.1.0/24");
    long before = TimeSource.system().epochNanos();
    PacketCapture capture = PacketCapture.open(options);
    try (UdpTraffic traffic = UdpTraffic.between("127.12.1.1", "127.12.1.2")) {
      traffic.send(sent, 100);
    }
    capture.close();
    long after = TimeSource.system().epochNanos();

    assertThat(capture.counts().received()).isEqualTo(sent);
    assertThat(capture.counts().written()).isEqualTo(sent);
    assertThat(capture.counts().dropped()).isZero();
    assertThat(capture.counts().bytes()).isEqualTo(sent * (14L + 20 + 8 + 100));
    assertThat(capture.counts().fileBytes()).isEqualTo(Files.size(options.output()));
    PcapngText file = PcapngText.read(options.output());
    assertThat(file.packets)
        .extracting(packet -> UdpTraffic.number(packet.bytes()))
        .containsExactlyElementsOf(IntStream.range(0, sent).boxed().toList());
    assertThat(file.packets)
        .allMatch(packet -> packet.epochNanos() >= before && packet.epochNanos() <= after);
    assertThat(file.statistics)
        .containsEntry(STATISTICS_RECEIVED, (long) sent)
        .containsEntry(STATISTICS_DROPPED, 0L);
    assertThat(file.linkType).isEqualTo(1);
    assertThat(file.cut).isFalse();
  }

  @Test
  void packetsOfOtherNetworksNeverReachTheRing() throws Exception {
    PacketCapture capture = PacketCapture.open(options("127.12.2.0/24"));
    try (UdpTraffic other = UdpTraffic.between("127.12.3.1", "127.12.3.2");
        UdpTraffic own = UdpTraffic.between("127.12.2.1", "127.12.2.2")) {
      other.send(500, 50);
      own.send(7, 50);
    }
    capture.close();

    assertThat(capture.counts().received()).isEqualTo(7);
  }

  @Test
  void aPacketWithOneEndInTheNetworkIsKept() throws Exception {
    PacketCapture capture = PacketCapture.open(options("127.12.4.1"));
    try (UdpTraffic from = UdpTraffic.between("127.12.4.1", "127.12.5.1");
        UdpTraffic to = UdpTraffic.between("127.12.5.1", "127.12.4.1")) {
      from.send(3, 50);
      to.send(4, 50);
    }
    capture.close();

    assertThat(capture.counts().received()).isEqualTo(7);
  }

  @Test
  void theFileNamesTheServersBeforeItsFirstPacket() throws Exception {
    Map<String, String> names = Map.of("127.12.6.1", "app1", "fd00::12", "database1");
    CaptureOptions options = options("127.12.6.0/24").withNames(names);
    PacketCapture capture = PacketCapture.open(options);
    try (UdpTraffic traffic = UdpTraffic.between("127.12.6.1", "127.12.6.2")) {
      traffic.send(1, 50);
    }
    capture.close();

    PcapngText file = PcapngText.read(options.output());
    assertThat(file.names)
        .containsEntry("127.12.6.1", "app1")
        .containsEntry("fd00:0:0:0:0:0:0:12", "database1")
        .hasSize(2);
    assertThat(file.blockTypes).containsExactly(0x0a0d0d0a, 1, 4, 6, 5);
  }

  @Test
  void theSnapLengthCutsBytesButKeepsTheLength() throws Exception {
    CaptureOptions options = options("127.12.7.0/24").withSnapLength(64);
    PacketCapture capture = PacketCapture.open(options);
    try (UdpTraffic traffic = UdpTraffic.between("127.12.7.1", "127.12.7.2")) {
      traffic.send(3, 1000);
    }
    capture.close();

    PcapngText file = PcapngText.read(options.output());
    assertThat(file.snapLength).isEqualTo(64);
    assertThat(file.packets).hasSize(3);
    assertThat(file.packets).allMatch(packet -> packet.bytes().length == 64);
    assertThat(file.packets).allMatch(packet -> packet.length() == 14 + 20 + 8 + 1000);
  }

  @Test
  void theFileReadsWhileTheCaptureRuns() throws Exception {
    CaptureOptions options = options("127.12.8.0/24");
    try (PacketCapture capture = PacketCapture.open(options);
        UdpTraffic traffic = UdpTraffic.between("127.12.8.1", "127.12.8.2")) {
      traffic.send(100, 200);
      assertThat(Await.until(Duration.ofSeconds(30), () -> capture.counts().written() >= 100))
          .isTrue();
      PcapngText file = PcapngText.read(options.output());
      assertThat(file.packets).hasSize(100);
      assertThat(file.cut).isFalse();
    }
  }

  @Test
  void closingTwiceDoesNothing() {
    PacketCapture capture = PacketCapture.open(options("127.12.9.0/24"));
    capture.close();
    CaptureCounts counts = capture.counts();
    capture.close();
    assertThat(capture.counts()).isEqualTo(counts);
  }

  @Test
  void anUnknownInterfaceIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> PacketCapture.open(options("127.0.0.0/8").withInterface("no-such-if")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("'no-such-if'")
        .hasMessageContaining("lo")
        .extracting(failure -> ((TerraceException) failure).code())
        .isEqualTo(ErrorCode.BAD_INPUT);
  }

  @Test
  void aFileThatCannotBeWrittenIsRefused() {
    CaptureOptions options =
        CaptureOptions.to(folder.resolve("missing/capture.pcapng"))
            .withMethod(CaptureMethod.BUILT_IN);
    assertThatThrownBy(() -> PacketCapture.open(options))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("missing/capture.pcapng");
  }

  @Test
  void aFullDiskIsTold() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "this system has no /dev/full");
    assertThatThrownBy(
            () -> PacketCapture.open(CaptureOptions.to(full).withMethod(CaptureMethod.BUILT_IN)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("/dev/full");
  }
}
