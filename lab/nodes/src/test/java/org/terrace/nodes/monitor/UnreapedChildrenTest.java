package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ProcessTree;
import org.terrace.observation.Sample;

/** A program that ignores the ends of its children, of which the kernel then adds nothing to it. */
@Timeout(120)
@Tag("real-processes")
class UnreapedChildrenTest {
  private static final Path PERL = Path.of("/usr/bin/perl");
  private static final int CHILDREN = 5;

  /** Those that began before there was anybody to end. */
  private static final int FIRST_CHILDREN = 2;

  /**
   * Four children at a time, each of which works for a quarter of its three seconds. What they say
   * is heard only while their parent is there, which waits for the last of them.
   */
  private static final String PROGRAM =
      """
      $SIG{CHLD} = 'IGNORE'; $| = 1;
      sub used { my @times = times; return $times[0] + $times[1]; }
      for my $child (1 .. 10) {
        if (!fork) {
          for my $part (1 .. 15) {
            my $from = used();
            while (used() - $from < 0.05) { for my $idle (1 .. 10000) {} }
            select(undef, undef, undef, 0.15);
          }
          print(used() . "\\n");
          exit;
        }
        select(undef, undef, undef, 0.75);
      }
      wait;
      """;

  @Test
  void theirWorkIsTheNodes() throws Exception {
    assumeTrue(Files.isExecutable(PERL), "a program that ignores signals takes Perl");
    Process program = new ProcessBuilder(PERL.toString(), "-e", PROGRAM).start();
    try (ResourceMonitor monitor =
        new ResourceMonitor(
            List.of(new ResourceMonitor.Target("own", 1, () -> ProcessTree.members(program.pid()))),
            Duration.ofMillis(200),
            TimeSource.system())) {
      BufferedReader told = program.inputReader();
      var _ = worked(told, FIRST_CHILDREN);
      double before = seconds(monitor.samples());
      double worked = worked(told, CHILDREN);

      assertThat(seconds(monitor.samples()) - before).isBetween(worked / 2, worked * 2);
    } finally {
      ProcessTree.members(program.pid())
          .forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }
  }

  /** The processor time that the next children say they have used. */
  private static double worked(BufferedReader told, int children) throws IOException {
    double worked = 0;
    for (int child = 0; child < children; child++) {
      worked += Double.parseDouble(told.readLine());
    }
    return worked;
  }

  /** The processor time of all readings together. */
  private static double seconds(List<Sample> samples) {
    List<Sample> own =
        samples.stream()
            .filter(sample -> sample.resource().equals(Resources.CPU_UTILISATION))
            .filter(sample -> sample.node().equals("own"))
            .toList();
    double seconds = 0;
    for (int index = 1; index < own.size(); index++) {
      long nanos = own.get(index).timeNanos() - own.get(index - 1).timeNanos();
      seconds += own.get(index).value() * nanos / 1e9;
    }
    return seconds;
  }
}
