package org.terrace.tracing.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;
import org.terrace.tracing.transaction.TransactionSummary.ClassTimes;

class TransactionSummaryTest {
  private static final long NONE = TraceContext.NO_PARENT;

  private final RequestTable.Builder builder = new RequestTable.Builder();

  @Test
  void aTablesTransactionsAreCountedWithTheirCalls() {
    add("web", "users", 0, 100, 1, NONE, 1, "entry");
    add("app", "web", 10, 90, 2, 1, 0.95, "timing");
    add("web", "users", 200, 300, 3, NONE, 1, "entry");

    TransactionSummary summary = TransactionSummary.of(builder.build());

    assertThat(summary.count()).isEqualTo(2);
    assertThat(summary.complete()).isEqualTo(2);
    assertThat(summary.calls()).isEqualTo(1);
    assertThat(summary.confidenceMedian()).isEqualTo(0.95);
    assertThat(summary.confidenceLow()).isEqualTo(0.95);
  }

  @Test
  void aTransactionThatMayLackACallIsNotComplete() {
    add("web", "users", 0, 100, 1, NONE, 1, "entry");
    add("web", "users", 5, 95, 2, NONE, 1, "entry");
    add("web", "users", 20, 95, 3, NONE, 1, "entry");
    add("app", "web", 10, 90, 4, NONE, 0, "unknown");
    add("web", "users", 80, 100, 5, NONE, 1, "entry");

    TransactionSummary summary = TransactionSummary.of(builder.build());

    assertThat(summary.count()).isEqualTo(4);
    assertThat(summary.complete()).isEqualTo(2);
  }

  @Test
  void theCriticalPathGoesThroughTheCallThatEndedLast() {
    add("web", "users", 0, 100_000, 1, NONE, 1, "entry");
    add("slow", "web", 10_000, 80_000, 2, 1, 1, "timing");
    add("quick", "web", 20_000, 50_000, 3, 1, 1, "timing");
    add("db", "slow", 30_000, 60_000, 4, 2, 1, "timing");

    List<ClassTimes> classes = TransactionSummary.of(builder.build()).classes();

    assertThat(classes)
        .extracting(ClassTimes::server)
        .containsExactly("slow", "db", "web", "quick");
    assertThat(classes).extracting(ClassTimes::selfMicros).containsExactly(40.0, 30.0, 30.0, 30.0);
    assertThat(classes.get(0).criticalShare()).isCloseTo(0.4, within(1e-9));
    assertThat(classes.get(1).criticalShare()).isCloseTo(0.3, within(1e-9));
    assertThat(classes.get(2).criticalShare()).isCloseTo(0.3, within(1e-9));
    assertThat(classes.get(3).criticalShare()).isZero();
  }

  @Test
  void aCircleOfParentsIsCut() {
    add("a", "b", 0, 100, 1, 2, 1, "trace");
    add("b", "a", 0, 100, 2, 1, 1, "trace");

    assertThat(TransactionSummary.of(builder.build()).count()).isEqualTo(1);
    assertThat(TransactionSummary.of(RequestTable.empty()).confidenceLow()).isZero();
  }

  private void add(
      String server,
      String client,
      long arrival,
      long departure,
      long span,
      long parent,
      double confidence,
      String source) {
    builder.accept(
        new Request(
            server,
            "q",
            client,
            arrival,
            arrival,
            departure,
            0,
            0,
            Outcome.OK,
            1,
            Exchange.NONE,
            new TraceContext(1, span, parent, confidence, source)));
  }
}
