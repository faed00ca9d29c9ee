package org.terrace.experiment.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunBeginTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void noFaultWaitsForAHostThatIsLateWithItsLimits() {
    CompletableFuture<Long> runStart = new CompletableFuture<>();
    CompletableFuture<Long> faults = new CompletableFuture<>();
    CompletableFuture<String> host = new CompletableFuture<>();
    CompletableFuture<String> begun = RunBegin.at(runStart, faults::complete, host::join);

    assertThat(faults).isNotDone();
    runStart.complete(7L);

    assertThat(faults).succeedsWithin(SOON).isEqualTo(7L);
    assertThat(begun).isNotDone();
    host.complete("limited");
    assertThat(begun).succeedsWithin(SOON).isEqualTo("limited");
  }
}
