package org.terrace.benchmarks.invocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.benchmarks.BenchReport.Goal;

class GoalsTest {
  private final Results results = new Results();

  private void call(Subject subject, Placement placement, double micros) {
    results.add(subject.toString(), "", "call-4b-p50", placement, micros);
  }

  private Goal toEcho() {
    return new Goals(results)
        .judge().stream()
            .filter(goal -> goal.id().equals("call-p50-to-socket-echo"))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void aRatioIsJudgedWhereItIsWorst() {
    call(Subject.SOCKET_ECHO, Placement.APART, 15);
    call(Subject.TERRACE, Placement.APART, 16.5);
    call(Subject.SOCKET_ECHO, Placement.TOGETHER, 7);
    call(Subject.TERRACE, Placement.TOGETHER, 14);
    assertThat(toEcho().value()).isEqualTo(2.0);
    assertThat(toEcho().met()).isFalse();
  }

  @Test
  void placementsAreNeverMixed() {
    call(Subject.SOCKET_ECHO, Placement.APART, 15);
    call(Subject.TERRACE, Placement.TOGETHER, 10);
    assertThat(toEcho().met()).isNull();
  }

  @Test
  void theFirstTwoProcessorsOfAListAreFound() {
    assertThat(Placement.firstTwo("0-3,8")).containsExactly("0", "1");
    assertThat(Placement.firstTwo("2,5-7")).containsExactly("2", "5");
    assertThat(Placement.firstTwo("4")).containsExactly("4");
  }
}
