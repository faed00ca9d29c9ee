package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.capture.CaptureCounts;
import org.terrace.capture.CaptureRights;

@Tag("real-processes")
@Tag("untimed")
class LocalCaptureTest {
  private static final String SENDER = "127.12.70.1";
  private static final String RECEIVER = "127.12.70.2";
  private static final int PACKETS = 200;
  private static final int PAYLOAD_BYTES = 1_200;

  @TempDir Path folder;

  @Test
  void ofAPacketAsManyBytesAreKeptAsThePlanSays() throws Exception {
    assumeTrue(CaptureRights.ofThisProcess().builtIn(), "this process lacks the right CAP_NET_RAW");

    assertThat(captured(262_144)).isGreaterThan((long) PACKETS * PAYLOAD_BYTES);
    assertThat(captured(128)).isLessThan((long) PACKETS * PAYLOAD_BYTES / 4);
  }

  /** The size of a file with all packets that are sent while it is written. */
  private long captured(int snapLength) throws Exception {
    Path file = folder.resolve(snapLength + ".pcapng");
    LocalCapture capture =
        LocalCapture.start(
            new CapturePlan(
                RECEIVER, file, List.of("127.12.70.0/24"), List.of(), Map.of(), snapLength));
    try (DatagramSocket sender =
            new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(SENDER), 0));
        DatagramSocket receiver =
            new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(RECEIVER), 0))) {
      for (int i = 0; i < PACKETS; i++) {
        sender.send(
            new DatagramPacket(
                new byte[PAYLOAD_BYTES], PAYLOAD_BYTES, receiver.getLocalSocketAddress()));
      }
    }
    CaptureCounts counts = capture.end();
    assertThat(counts.written()).isEqualTo(PACKETS);
    return Files.size(file);
  }
}
