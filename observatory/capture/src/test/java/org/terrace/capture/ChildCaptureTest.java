package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
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
  private static final long PATIENCE_SECONDS = 30;

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

  /** The session is the sixth field of a process's state: a leader's is its own number. */
  @ParameterizedTest
  @EnumSource(CaptureProgram.class)
  void aCtrlCAtTheTerminalEndsTheCaptureAndNotTheProgram(CaptureProgram program) throws Exception {
    CaptureOptions options = options(program, "127.12.43.0/24");
    Process process = program.start(options, true);
    try {
      assertThat(new ProgramMessages(program, process).awaitReady(PATIENCE_SECONDS)).isTrue();
      String state = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      assertThat(state.split(" ", -1)[5]).isEqualTo(Long.toString(process.pid()));
    } finally {
      process.destroyForcibly();
    }
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
