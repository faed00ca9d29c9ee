package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DoubtsTest {
  private static boolean isEarly(String line) {
    return Doubts.isEarly(line.split(" ", -1));
  }

  @Test
  void aDoubtIsEarlyWhileThereIsTimeToAskAgain() {
    long deadline = Doubts.DEADLINE.toMillis();
    assertThat(isEarly("7 1 unsure 3 Call 7/1 of accounts.add may have been done: lost")).isTrue();
    assertThat(isEarly("7 1 unsure " + (deadline - 1_000) + " Call 7/1 may have been done"))
        .isTrue();
    assertThat(isEarly("7 1 unsure " + deadline + " Call 7/1 may have been done: lost")).isFalse();
  }

  @Test
  void whoseLeaseIsOverCannotAsk() {
    assertThat(
            isEarly(
                "7 1 unsure 3 Call 7/1 may have been done: The lease of client 7 is over: request"
                    + " 1 was not executed now, and whether it was before is no longer known."))
        .isFalse();
  }
}
