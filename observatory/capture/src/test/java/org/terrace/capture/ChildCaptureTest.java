package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.core.TerraceException;

@Tag("real-processes")
class ChildCaptureTest {
  @TempDir Path folder;

  private CaptureOptions options(CaptureProgram program, String network) {
    assumeTrue(program.find().isPresent(), program.program() + " is not installed");
    assumeTrue(program.isPermitted(), program.program() + " may not capture for this user");
    return CaptureOptions.to(folder.resolve("capture.pcapng"))
        .withMethod(program.method())
        .withFilter(CaptureFilter.networks(network));
  }

  @ParameterizedTest
  @EnumSource(CaptureProgram.class)
  void everyPacketIsWrittenExactlyOnce(CaptureProgram program) throws Exception {
    int sent = 5000;
    CaptureOptions options =
        options(program, "127.12.40.0/24").withNames(Map.of("127.12.40.1", "web1"));
    PacketCapture capture = PacketCapture.open(options);
    try (UdpTraffic other = UdpTraffic.between("127.12.41.1", "127.12.41.2");
        UdpTraffic traffic = UdpTraffic.between("127.12.40.1", "127.12.40.2")) {
      other.send(100, 100);
      traffic.send(sent, 100);
    }
    capture.close();

    assertThat(capture.counts().written()).isEqualTo(sent);
    assertThat(capture.counts().received()).isEqualTo(sent);
    PcapngText file = PcapngText.read(options.output());
    assertThat(file.packets)
        .extracting(packet -> UdpTraffic.number(packet.bytes()))
        .containsExactlyElementsOf(IntStream.range(0, sent).boxed().toList());
    long expectedResolutionNanos = program == CaptureProgram.TCPDUMP ? 1 : 1000;
    assertThat(file.packets)
        .anyMatch(packet -> packet.epochNanos() / expectedResolutionNanos % 1000 != 0);
    assertThat(file.names).containsEntry("127.12.40.1", "web1");
    assertThat(file.blockTypes.getLast()).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(CaptureProgram.class)
  void whatTheProgramSaysOfAFailureIsTold(CaptureProgram program) {
    CaptureOptions options =
        options(program, "127.12.42.0/24")
            .withFilter(CaptureFilter.everything())
            .withSnapLength(64)
            .withInterface("no-such-if");
    assertThatThrownBy(() -> PacketCapture.open(options))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("no-such-if");
  }
}
