package org.terrace.invocation.retention;

import java.util.concurrent.atomic.LongAdder;
import org.terrace.middleware.CallReply;

/** The counters behind {@link RetentionCounts}. Thread-safe. */
final class RetentionCounters {
  private final LongAdder executed = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder mismatched = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder fenced = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder inDoubt = new LongAdder();
  private final LongAdder conflicts = new LongAdder();

  void count(Step step) {
    switch (step) {
      case Step.Executed withdrawal
          when withdrawal.reply().status() == CallReply.Status.WITHDRAWN -> {}
      case Step.Executed _ -> executed.increment();
      case Step.Repeated _ -> repeated.increment();
      case Step.Mismatched _ -> mismatched.increment();
      case Step.Stale _ -> stale.increment();
      case Step.Fenced _ -> fenced.increment();
      case Step.Failed _ -> failed.increment();
      case Step.InDoubt _ -> inDoubt.increment();
      case Step.Again _ -> conflicts.increment();
      case Step.Refused _ -> {}
    }
  }

  RetentionCounts counts(ReplyCollector collector) {
    return new RetentionCounts(
        executed.sum(),
        repeated.sum(),
        mismatched.sum(),
        stale.sum(),
        fenced.sum(),
        failed.sum(),
        inDoubt.sum(),
        conflicts.sum(),
        collector.collected(),
        collector.expiredClients(),
        collector.failures());
  }
}
