package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndsTest {
  /**
   * A lost host cannot be told to delete its data, and the others have to be ended all the same.
   */
  @Test
  void whatFailsKeepsNothingElseFromItsEnd() {
    List<String> ended = new ArrayList<>();
    List<Runnable> ends =
        List.of(
            () -> ended.add("servers"),
            () -> {
              throw new IllegalStateException("the host is gone");
            },
            () -> ended.add("hosts"),
            () -> {
              throw new IllegalStateException("so is the other");
            },
            () -> ended.add("hook"));

    assertThatThrownBy(() -> TrialServers.closeAll(ends))
        .hasMessage("the host is gone")
        .hasSuppressedException(new IllegalStateException("so is the other"));

    assertThat(ended).containsExactly("servers", "hosts", "hook");
  }
}
