package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.TerraceException;

/**
 * An interface that goes down while the kernel still holds packets of it, as the end of a cable
 * does when the namespace of the other end is gone.
 */
@Tag("real-processes")
@Tag("untimed")
class InterfaceDownTest {
  private static final String LOOPBACK = "lo";
  private static final int SENT = 500;
  private static final String TOLD = "told: ";

  @TempDir Path folder;

  /**
   * Captures datagrams over the loopback interface of a network of its own, which then goes down.
   *
   * @param arguments the file, and {@code before} or {@code while} the capture is closed
   */
  public static void main(String[] arguments) throws Exception {
    NetworkInterfaceFacts.bringUp(LOOPBACK);
    PacketCapture capture =
        PacketCapture.open(
            CaptureOptions.to(Path.of(arguments[0]))
                .withMethod(CaptureMethod.BUILT_IN)
                .withFilter(CaptureFilter.networks("127.12.70.0/24")));
    try (UdpTraffic traffic = UdpTraffic.between("127.12.70.1", "127.12.70.2")) {
      traffic.send(SENT, 100);
    }
    if (arguments[1].equals("before")) {
      takeDown();
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals(RingCapture.THREAD_NAME))
          .forEach(ShutdownClose::join);
    } else {
      Thread.startVirtualThread(InterfaceDownTest::takeDown);
    }
    try {
      capture.close();
      System.out.println("closed");
    } catch (TerraceException e) {
      System.out.println(TOLD + e.getMessage());
    }
    System.out.println("counts " + capture.counts());
    System.exit(0);
  }

  private static void takeDown() {
    try {
      Process process =
          new ProcessBuilder("ip", "link", "set", LOOPBACK, "down").inheritIO().start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("ip ended with " + process.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "while"})
  void whatCameBeforeIsWritten(String moment) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")), "ip (Debian: iproute2) is missing");
    Path file = folder.resolve("capture.pcapng");
    List<String> words =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            InterfaceDownTest.class.getName(),
            file.toString(),
            moment));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assumeTrue(!output.contains("unshare failed"), "the kernel refuses namespaces: " + output);

    PcapngText text = PcapngText.read(file);
    assertThat(text.packets).as(output).hasSize(SENT);
    assertThat(text.blockTypes.getLast()).as("the counts at the end").isEqualTo(5);
    if (moment.equals("before")) {
      assertThat(output).contains(TOLD).contains("went down").contains(file.toString());
    } else {
      assertThat(output).contains("closed");
    }
  }
}
