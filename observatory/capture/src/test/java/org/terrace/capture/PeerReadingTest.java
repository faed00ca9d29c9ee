package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;

/** Other programs read what the built-in capture writes, and see the same packets themselves. */
@Tag("real-processes")
class PeerReadingTest {
  private static final int SENT = 2000;

  @TempDir Path folder;

  @BeforeEach
  void capturingIsPermitted() {
    assumeTrue(CaptureRights.ofThisProcess().builtIn(), "this process lacks the right CAP_NET_RAW");
  }

  private static String output(String program, String... arguments) throws Exception {
    Path file = CaptureSystem.program(program).orElse(null);
    assumeTrue(file != null, program + " is not installed");
    List<String> command = new ArrayList<>(List.of(String.valueOf(file)));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return output;
  }

  private CaptureOptions options(String name, CaptureMethod method) {
    return CaptureOptions.to(folder.resolve(name))
        .withMethod(method)
        .withNames(Map.of("127.12.50.1", "app1", "127.12.50.2", "database1"))
        .withFilter(CaptureFilter.networks("127.12.50.0/24"));
  }

  @Test
  void tsharkReadsPacketsTimesAndNames() throws Exception {
    CaptureOptions options = options("built-in.pcapng", CaptureMethod.BUILT_IN);
    long beforeNanos = TimeSource.system().epochNanos();
    PacketCapture capture = PacketCapture.open(options);
    try (UdpTraffic traffic = UdpTraffic.between("127.12.50.1", "127.12.50.2")) {
      traffic.send(SENT, 200);
    }
    capture.close();

    List<String> lines =
        output(
                "tshark",
                "-r",
                options.output().toString(),
                "-N",
                "n",
                "-T",
                "fields",
                "-e",
                "frame.time_epoch",
                "-e",
                "ip.src_host",
                "-e",
                "ip.dst_host",
                "-e",
                "udp.length")
            .lines()
            .toList();

    assertThat(lines).hasSize(SENT).allMatch(line -> line.endsWith("\tapp1\tdatabase1\t208"));
    double seconds = Double.parseDouble(lines.getFirst().split("\t", -1)[0]);
    assertThat(seconds).isBetween(beforeNanos / 1e9 - 1, beforeNanos / 1e9 + 10);
  }

  @Test
  void tcpdumpAtTheSameTimeSeesTheSamePackets() throws Exception {
    assumeTrue(CaptureProgram.TCPDUMP.find().isPresent(), "tcpdump is not installed");
    CaptureOptions own = options("built-in.pcapng", CaptureMethod.BUILT_IN);
    CaptureOptions peer = options("tcpdump.pcapng", CaptureMethod.TCPDUMP);
    try (PacketCapture first = PacketCapture.open(own);
        PacketCapture second = PacketCapture.open(peer);
        UdpTraffic traffic = UdpTraffic.between("127.12.50.1", "127.12.50.2")) {
      traffic.send(SENT, 200);
      assertThat(first.method()).isNotEqualTo(second.method());
    }

    List<String> ownBytes = payloads(own.output());
    assertThat(ownBytes).hasSize(SENT).isEqualTo(payloads(peer.output()));
  }

  @Test
  void aFileWithACutTailIsReadUpToTheCut() throws Exception {
    CaptureOptions options = options("built-in.pcapng", CaptureMethod.BUILT_IN);
    PacketCapture capture = PacketCapture.open(options);
    try (UdpTraffic traffic = UdpTraffic.between("127.12.50.1", "127.12.50.2")) {
      traffic.send(SENT, 200);
    }
    capture.close();
    byte[] whole = Files.readAllBytes(options.output());
    Files.write(options.output(), Arrays.copyOf(whole, whole.length / 2));

    PcapngText file = PcapngText.read(options.output());
    assertThat(file.cut).isTrue();
    assertThat(file.packets).hasSizeBetween(SENT / 2 - 10, SENT / 2);
  }

  private static List<String> payloads(Path file) throws Exception {
    return PcapngText.read(file).packets.stream()
        .map(packet -> HexFormat.of().formatHex(packet.bytes()))
        .toList();
  }
}
