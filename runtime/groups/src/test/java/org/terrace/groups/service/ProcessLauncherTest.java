package org.terrace.groups.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Await;

/** Processes that a launcher starts and ends. */
@Tag("real-processes")
@Tag("untimed")
class ProcessLauncherTest {
  @Test
  void processesAreStartedByTheirCommandUnderFreeNamesAndEndWithTheLauncher() {
    ProcessLauncher launcher =
        new ProcessLauncher(
            "a", name -> name.equals("a-3"), (service, replica) -> List.of("sleep", "600"));
    try (launcher) {
      launcher.start("cart");
      launcher.start("cart");
      assertThat(launcher.running("cart")).containsExactlyInAnyOrder("a-1", "a-2");
      assertThat(launcher.running("stock")).isEmpty();
      launcher.stop("cart", "a-1");
      assertThat(
              Await.until(Duration.ofSeconds(30), () -> !launcher.running("cart").contains("a-1")))
          .isTrue();
      assertThat(launcher.running("cart")).containsExactlyInAnyOrder("a-2");
      launcher.start("cart");
      assertThat(launcher.running("cart")).containsExactlyInAnyOrder("a-1", "a-2");
      launcher.start("cart");
      assertThat(launcher.running("cart")).containsExactlyInAnyOrder("a-1", "a-2", "a-4");
    }
    assertThat(launcher.running("cart")).isEmpty();
  }
}
