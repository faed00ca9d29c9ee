package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;
import org.terrace.observation.Observation;

/**
 * A real server that stands still as an application, and later with its host, told apart by the
 * acknowledgements in a real capture.
 */
@Timeout(120)
@Tag("real-processes")
@Tag("long")
class SilentHostTest {
  @TempDir Path directory;

  @Test
  void anApplicationThatStandsStillIsToldFromAHostThatIsSilent() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/nft")), "nft (Debian: nftables) is not installed");
    Path capture = directory.resolve("capture.pcapng");
    String output = runInItsOwnNetwork(capture);
    assumeTrue(!output.contains("unshare failed"), "the kernel refuses namespaces: " + output);
    long[] application = times(output, "application");
    long[] host = times(output, "host");

    CaptureAnalysis read = CaptureAnalysis.of(capture, List.of());
    ServerFindings server =
        Analysis.analyze(
                new Observation(
                    read.wire().servers(), read.requests(), List.of(), read.wire().events()),
                AnalysisOptions.defaults())
            .findings()
            .servers()
            .getFirst();

    System.out.printf("%s%s%n%s%n", output, server.stalls(), read.wire().events());
    assertThat(behaviourIn(server, application)).isEqualTo(Behaviour.STOOD_STILL);
    assertThat(behaviourIn(server, host)).isEqualTo(Behaviour.HOST_SILENT);
  }

  private static Behaviour behaviourIn(ServerFindings server, long[] nanos) {
    long middle = nanos[0] + (nanos[1] - nanos[0]) / 2;
    return server.stalls().stream()
        .filter(stall -> stall.startNanos() <= middle && stall.endNanos() > middle)
        .findFirst()
        .map(Findings.Stall::behaviour)
        .orElseThrow(() -> new AssertionError("no stall at " + middle + ": " + server.stalls()));
  }

  private static long[] times(String output, String what) {
    String line =
        output
            .lines()
            .filter(each -> each.startsWith(what + " "))
            .findFirst()
            .orElseThrow(() -> new AssertionError(output));
    String[] words = line.split(" ", -1);
    return new long[] {Long.parseLong(words[1]), Long.parseLong(words[2])};
  }

  private static String runInItsOwnNetwork(Path capture) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
    words.addAll(JavaCommand.small(List.of(), SilentHostProgram.class, capture.toString()));
    Process process =
        Keeper.ofThisProcess().start(new ProcessBuilder(words).redirectErrorStream(true));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
