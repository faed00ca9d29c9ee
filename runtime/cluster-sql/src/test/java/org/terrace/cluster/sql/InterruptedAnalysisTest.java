package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.sql.StatementAnalysis.Kind;
import org.terrace.testing.OtherThread;

/** Clients that are interrupted at the analysis of a statement, which is not wrong for that. */
@Timeout(60)
class InterruptedAnalysisTest {
  @Test
  void whoIsInterruptedBeforeGetsItsAnalysis() throws RefusedStatementException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Thread.currentThread().interrupt();
      Kind kind = kind(executor);

      assertThat(kind).isEqualTo(Kind.WRITE);
    }
  }

  /** Its thread is interrupted before the parser's begins, and told so as it waits for that. */
  @Test
  void whoIsInterruptedMeanwhileGetsItsAnalysis() throws RefusedStatementException {
    Thread client = Thread.currentThread();
    AtomicBoolean first = new AtomicBoolean(true);
    ThreadFactory parsers =
        task ->
            Thread.ofVirtual()
                .unstarted(() -> {
                  if (first.getAndSet(false)) {
                    client.interrupt();
                    OtherThread.await(() -> !client.isInterrupted());
                  }
                  task.run();
                });
    try (ExecutorService executor = Executors.newThreadPerTaskExecutor(parsers)) {
      assertThat(kind(executor)).isEqualTo(Kind.WRITE);
    }
  }

  private static Kind kind(ExecutorService executor) throws RefusedStatementException {
    try {
      return ShopTables.analyzer(Engine.POSTGRESQL, Set.of(), executor)
          .analyze("DELETE FROM item WHERE id = 1")
          .kind();
    } finally {
      assertThat(Thread.interrupted()).as("its thread is interrupted").isTrue();
    }
  }
}
