package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Await;

/**
 * A process of its own captures, sends, says that all is written, and is then ended from outside.
 */
@Tag("real-processes")
@Tag("untimed")
class InterruptedCaptureTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SENT = 500;

  @TempDir Path folder;

  /** Captures its own traffic until it is ended. */
  public static void main(String[] arguments) throws Exception {
    PacketCapture capture =
        PacketCapture.open(
            CaptureOptions.to(Path.of(arguments[0]))
                .withMethod(CaptureMethod.BUILT_IN)
                .withFilter(CaptureFilter.networks("127.12.60.0/24")));
    try (UdpTraffic traffic = UdpTraffic.between("127.12.60.1", "127.12.60.2")) {
      traffic.send(SENT, 100);
      if (!Await.until(PATIENCE, () -> capture.counts().written() >= SENT)) {
        throw new IllegalStateException("captured too few: " + capture.counts());
      }
      traffic.send(SENT, 100);
      System.out.println("written");
      System.in.read();
    }
  }

  @BeforeEach
  void capturingIsPermitted() {
    assumeTrue(CaptureRights.ofThisProcess().builtIn(), "this process lacks the right CAP_NET_RAW");
  }

  private Process startUntilWritten(Path file) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    InterruptedCaptureTest.class.getName(),
                    file.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = process.inputReader();
    assertThat(output.readLine()).isEqualTo("written");
    return process;
  }

  @Test
  void aTerminatedProcessLeavesAWholeFile() throws Exception {
    Path file = folder.resolve("terminated.pcapng");
    Process process = startUntilWritten(file);
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();

    PcapngText text = PcapngText.read(file);
    assertThat(text.packets).hasSize(2 * SENT);
    assertThat(text.blockTypes.getLast()).as("the counts at the end").isEqualTo(5);
  }

  @Test
  void aKilledProcessLeavesWhatWasWrittenInAReadableFile() throws Exception {
    Path file = folder.resolve("killed.pcapng");
    Process process = startUntilWritten(file);
    process.destroyForcibly();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();

    PcapngText text = PcapngText.read(file);
    assertThat(text.packets).hasSizeBetween(SENT, 2 * SENT);
    assertThat(text.cut).isFalse();
  }
}
