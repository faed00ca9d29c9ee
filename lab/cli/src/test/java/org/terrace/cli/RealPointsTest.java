package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.cli.input.PointInput;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.CapturePoint;
import org.terrace.report.FindingsFile;
import picocli.CommandLine;

/** Two real captures of one real exchange, one of them with its clock put wrong. */
@Timeout(120)
@Tag("real-processes")
@Tag("long")
class RealPointsTest {
  private static final long AHEAD_NANOS = 3_250_000_000L;
  private static final int ENHANCED_PACKET = 6;

  @TempDir Path directory = Path.of("");

  @Test
  void twoHostsGiveTheFindingsOfTheServersCaptureAndTheShiftOfTheOther() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")), "ip (Debian: iproute2) is missing");
    String output = exchange();
    assumeTrue(!output.contains("unshare failed"), "the kernel refuses namespaces: " + output);
    Path server = directory.resolve("server.pcapng");
    Path client = directory.resolve("client.pcapng");
    assertThat(server).as(output).exists();
    Files.write(client, shifted(Files.readAllBytes(client)));

    Findings alone = analyze("alone", server);
    Findings both = analyze("both", server, client);

    CaptureFigures figures = Objects.requireNonNull(both.capture());
    CapturePoint other = figures.points().getLast();
    System.out.println(PointInput.sentence(other) + ", round trip " + other.roundTripNanos());
    assertThat(both.servers()).isEqualTo(alone.servers());
    assertThat(both.servers().getFirst().requests()).isEqualTo(TwoHostsProgram.REQUESTS);
    assertThat(other.sharedPackets()).isGreaterThan(2 * TwoHostsProgram.REQUESTS - 10);
    assertThat(other.clock())
        .singleElement()
        .satisfies(clock ->
            assertThat(AHEAD_NANOS)
                .isBetween(
                    Objects.requireNonNull(clock.lowNanos()),
                    Objects.requireNonNull(clock.highNanos())));
    assertThat(Objects.requireNonNull(other.errorNanos())).isLessThan(5_000_000L);
  }

  private String exchange() throws Exception {
    List<String> words =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
    words.addAll(
        JavaCommand.small(List.of(), TwoHostsProgram.class, "client", directory.toString()));
    Process process =
        Keeper.ofThisProcess().start(new ProcessBuilder(words).redirectErrorStream(true));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  /** The file of another clock: pcapng in nanoseconds, as the capture writes it. */
  private static byte[] shifted(byte[] file) {
    ByteBuffer blocks = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < file.length; at += blocks.getInt(at + 4)) {
      if (blocks.getInt(at) == ENHANCED_PACKET) {
        long time =
            ((long) blocks.getInt(at + 12) << 32)
                + Integer.toUnsignedLong(blocks.getInt(at + 16))
                + AHEAD_NANOS;
        blocks.putInt(at + 12, (int) (time >>> 32)).putInt(at + 16, (int) time);
      }
    }
    return file;
  }

  private Findings analyze(String name, Path... captures) {
    List<String> arguments = new ArrayList<>(List.of("analyze"));
    for (Path capture : captures) {
      arguments.add(capture.toString());
    }
    arguments.add("--out=" + directory.resolve(name));
    StringWriter said = new StringWriter();
    CommandLine line = Terrace.commandLine().setErr(new PrintWriter(said));
    assertThat(line.execute(arguments.toArray(String[]::new))).as(said.toString()).isZero();
    return FindingsFile.read(directory.resolve(name).resolve(FindingsFile.NAME));
  }
}
