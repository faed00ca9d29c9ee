package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.StallPackets;
import org.terrace.analysis.finding.TransactionExample;
import org.terrace.analysis.finding.TransactionProfile;
import org.terrace.core.process.Keeper;
import org.terrace.report.FindingsFile;

/** The display filters of findings, as tshark understands them, in a real capture. */
@Tag("real-processes")
@Tag("untimed")
class PacketsOfFindingsTest {
  private static final Path TSHARK = Path.of("/usr/bin/tshark");
  private static final Path SHOP = Path.of("../../examples/slow-shop");

  @TempDir Path directory = Path.of("");

  @Test
  void everyFilterShowsThePacketsThatItIsFor() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(TSHARK), "no tshark: apt-get install tshark");
    Path capture = directory.resolve("slow.pcap");
    try (var packed = new GZIPInputStream(Files.newInputStream(SHOP.resolve("slow.pcap.gz")))) {
      Files.copy(packed, capture);
    }
    Path out = directory.resolve("out");
    assertThat(
            Terrace.commandLine()
                .execute(
                    "analyze",
                    capture.toString(),
                    "--tiers=" + SHOP.resolve("tiers.yaml"),
                    "--out=" + out))
        .isZero();
    Findings findings = FindingsFile.read(out.resolve(FindingsFile.NAME));

    TransactionProfile profile = findings.transactions().profiles().getFirst();
    assertThat(profile.requestClass()).isEqualTo("GET /product/{n}");
    for (TransactionExample example : profile.examples()) {
      List<Long> frames = frames(capture, Objects.requireNonNull(example.displayFilter()));
      assertThat(frames.getFirst()).isEqualTo(example.firstFrame());
      assertThat(frames.getLast()).isEqualTo(example.lastFrame());
      assertThat(frames)
          .as("question and answer of each request")
          .hasSizeGreaterThanOrEqualTo(2 * example.spans().size());
    }
    StallPackets packets = findings.stallEpisodes().getFirst().packets();
    assertThat(packets).isNotNull();
    assertThat(frames(capture, packets.displayFilter()))
        .isNotEmpty()
        .allMatch(frame -> frame >= packets.firstFrame() && frame <= packets.lastFrame());
  }

  private static List<Long> frames(Path capture, String filter)
      throws IOException, InterruptedException {
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(
                        TSHARK.toString(),
                        "-r",
                        capture.toString(),
                        "-Y",
                        filter,
                        "-T",
                        "fields",
                        "-e",
                        "frame.number")
                    .redirectError(ProcessBuilder.Redirect.DISCARD));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(filter).isZero();
    return output.lines().map(Long::valueOf).toList();
  }
}
