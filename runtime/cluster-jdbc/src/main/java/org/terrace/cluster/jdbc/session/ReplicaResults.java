package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.StatementOutcome;

/**
 * The results of one statement at all replicas, of which its client gets one and the others are
 * closed, whenever they come. Thread-safe.
 *
 * @param <R> a result that must be closed
 */
final class ReplicaResults<R> {
  private static final int NONE = -1;

  private record Left<R>(
      StatementOutcome outcome, @Nullable R result, @Nullable SQLException failure) {}

  private final Consumer<R> closing;
  private final Map<Integer, Left<R>> all = new HashMap<>();
  private int chosen = NONE;

  /** None yet; {@code closing} closes one. */
  ReplicaResults(Consumer<R> closing) {
    this.closing = closing;
  }

  /** Keeps the result of a replica until one is chosen. */
  synchronized void done(int replica, StatementOutcome outcome, R result) {
    boolean late = chosen != NONE && chosen != replica;
    all.put(replica, new Left<>(outcome, late ? null : result, null));
    if (late) {
      closing.accept(result);
    }
  }

  /** Keeps the failure of a statement at a replica. */
  synchronized void failed(int replica, StatementOutcome outcome, SQLException failure) {
    all.put(replica, new Left<>(outcome, null, failure));
  }

  /** The outcome at the replica whose answer counts. */
  synchronized StatementOutcome outcome(int replica) {
    return left(replica).outcome();
  }

  /** The outcome at the first of these that has one. */
  synchronized StatementOutcome outcome(List<Integer> replicas) {
    return outcome(replicas.stream().filter(all::containsKey).findFirst().orElse(NONE));
  }

  /** Takes the result of the replica whose answer counts. */
  synchronized R choose(int replica) throws SQLException {
    chosen = replica;
    Left<R> left = left(replica);
    if (left.failure() != null) {
      throw left.failure();
    }
    R result = left.result();
    if (result == null) {
      throw new IllegalStateException("the result of replica " + replica + " was taken before");
    }
    all.put(replica, new Left<>(left.outcome(), null, null));
    return result;
  }

  private Left<R> left(int replica) {
    Left<R> left = all.get(replica);
    if (left == null) {
      throw new IllegalStateException("replica " + replica + " was chosen and has no outcome");
    }
    return left;
  }

  /** Closes what is left of a replica that was not chosen. */
  synchronized void discard(int replica) {
    Left<R> left = all.get(replica);
    R result = left == null ? null : left.result();
    if (left != null && result != null) {
      all.put(replica, new Left<>(left.outcome(), null, left.failure()));
      closing.accept(result);
    }
  }
}
