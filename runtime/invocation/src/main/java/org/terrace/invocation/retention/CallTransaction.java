package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;

/** One transaction of one call. Confined to the call's thread; used once. */
final class CallTransaction {
  /**
   * The part of a transaction that an exception comes from: the work, or the statements around it.
   */
  private enum Phase {
    OPENING,
    WORKING,
    COMMITTING
  }

  private static final int RETENTIONS_WARMED_UP = 3;

  private final Dialect dialect;
  private final RetentionOptions options;
  private final CallRequest request;
  private final byte[] fingerprint;
  private final OptionalLong epoch;
  private final LongConsumer epochSeen;
  private final SessionMark mark;
  private Phase phase = Phase.OPENING;

  CallTransaction(
      Dialect dialect,
      RetentionOptions options,
      CallRequest request,
      byte[] fingerprint,
      OptionalLong epoch,
      LongConsumer epochSeen,
      SessionMark mark) {
    this.dialect = dialect;
    this.options = options;
    this.request = request;
    this.fingerprint = fingerprint;
    this.epoch = epoch;
    this.epochSeen = epochSeen;
    this.mark = mark;
  }

  /**
   * Runs the transaction to its commit or its rollback; after an exception it is still to be rolled
   * back, by {@link #failed(Connection, Throwable)}.
   *
   * @param refusal what an earlier transaction of the call was refused with, to be stored in place
   *     of the work; null to run the work
   */
  Step run(Connection connection, Execution.Executable work, @Nullable CallReply refusal)
      throws Exception {
    Opening opening = dialect.open(connection, request, fingerprint, options, mark);
    opening.epoch().ifPresent(epochSeen);
    if (!opening.fresh()) {
      Optional<StoredReply> stored = dialect.stored(connection, identity());
      connection.rollback();
      return stored.<Step>map(this::repeated).orElseGet(Step.Again::new);
    }
    if (opening.watermark().isEmpty()) {
      connection.rollback();
      dialect.register(connection, identity().client(), options.lease());
      return new Step.Again();
    }
    if (opening.watermark().getAsLong() > identity().sequence()) {
      connection.rollback();
      return new Step.Stale(
          opening.watermark().getAsLong() == Watermark.FORGOTTEN ? forgotten() : stale());
    }
    if (epoch.isPresent() && !epoch.equals(opening.epoch())) {
      connection.rollback();
      if (opening.epoch().orElse(0) > epoch.getAsLong()) {
        return new Step.Fenced(fenced());
      }
      dialect.raiseEpoch(connection, request.service(), epoch.getAsLong(), "");
      connection.commit();
      return new Step.Again();
    }
    phase = Phase.WORKING;
    CallReply reply = refusal == null ? work.run(connection) : refusal;
    if (reply.status() == Status.REFUSED && refusal == null) {
      connection.rollback();
      return new Step.Refused(reply);
    }
    if (reply.status() == Status.REJECTED) {
      connection.rollback();
      return new Step.Failed(reply);
    }
    phase = Phase.COMMITTING;
    dialect.retainAndCommit(connection, request, reply, epoch);
    return new Step.Executed(reply);
  }

  /**
   * Runs the transaction without a client, an epoch or a commit: the first times up to the
   * database's refusal to retain the reply, few, as the database may log it.
   */
  Step warmUp(Connection connection, Execution.Executable work) throws Exception {
    Opening opening = dialect.open(connection, request, fingerprint, options, mark);
    opening.epoch().ifPresent(epochSeen);
    phase = Phase.WORKING;
    CallReply reply = work.run(connection);
    phase = Phase.COMMITTING;
    if (identity().sequence() <= RETENTIONS_WARMED_UP) {
      retainInVain(connection, reply, opening.epoch());
    }
    connection.rollback();
    return new Step.Executed(reply);
  }

  private void retainInVain(Connection connection, CallReply reply, OptionalLong inForce)
      throws SQLException {
    try {
      dialect.retainAndCommit(connection, request, reply, inForce);
    } catch (SQLException e) {
      Dialect.Failure failure = dialect.failure(e);
      if (failure != Dialect.Failure.STALE && failure != Dialect.Failure.FENCED) {
        throw e;
      }
    }
  }

  /** Rolls back after an exception out of {@link #run}, and says what it means for the call. */
  Step failed(Connection connection, Throwable exception) {
    Optional<StoredReply> stored = Optional.empty();
    try {
      connection.rollback();
      if (phase == Phase.WORKING) {
        stored = dialect.stored(connection, identity());
        connection.rollback();
      }
    } catch (SQLException e) {
      exception.addSuppressed(e);
      return phase == Phase.WORKING ? new Step.Failed(unavailable(exception)) : failed(exception);
    }
    return phase == Phase.WORKING ? workFailed(stored, exception) : failed(exception);
  }

  /**
   * The step that follows from an exception out of opening the connection or out of the runtime's
   * statements.
   */
  Step failed(Throwable exception) {
    SQLException database = Dialect.databaseException(exception);
    if (database == null) {
      return phase == Phase.COMMITTING
          ? new Step.InDoubt(inDoubt(exception))
          : new Step.Failed(rolledBack(exception));
    }
    return switch (dialect.failure(database)) {
      case CONFLICT, STALE -> new Step.Again();
      case FENCED -> new Step.Fenced(fenced());
      case ROLLED_BACK -> new Step.Failed(rolledBack(exception));
      case UNAVAILABLE -> new Step.Failed(unavailable(exception));
      case BROKEN ->
          phase == Phase.COMMITTING
              ? new Step.InDoubt(inDoubt(exception))
              : new Step.Failed(unavailable(exception));
    };
  }

  /**
   * The step that follows from an exception of the work on a connection that lives: an exception
   * that only a broken one or the runtime's own statements can raise, the work has made up, or has
   * from somewhere else.
   */
  private Step workFailed(Optional<StoredReply> stored, Throwable exception) {
    if (stored.isPresent() && stored.get().reply() == null) {
      return new Step.InDoubt(committedByItself());
    }
    SQLException database = Dialect.databaseException(exception);
    if (database == null) {
      return new Step.Failed(rolledBack(exception));
    }
    return switch (dialect.failure(database)) {
      case CONFLICT -> new Step.Again();
      case UNAVAILABLE -> new Step.Failed(unavailable(exception));
      case ROLLED_BACK, BROKEN, FENCED, STALE -> new Step.Failed(rolledBack(exception));
    };
  }

  private Step repeated(StoredReply stored) {
    CallReply reply = stored.reply();
    boolean isOfKey = reply != null && reply.status() == Status.WITHDRAWN; // whatever asked for it
    if (!isOfKey && !Arrays.equals(stored.fingerprint(), fingerprint)) {
      return new Step.Mismatched(
          CallReply.saying(
              Status.REJECTED,
              "Request %s was sent before with another method or other arguments: give each request a %s of its own."
                  .formatted(identity(), request.isKeyed() ? "key" : "sequence")));
    }
    return reply == null ? new Step.InDoubt(committedByItself()) : new Step.Repeated(reply);
  }

  private CallReply stale() {
    return CallReply.saying(
        Status.REJECTED,
        "Request %s is below what its client has acknowledged: it was not executed now, and whether it was before is no longer known."
            .formatted(identity()));
  }

  private CallReply forgotten() {
    return CallReply.saying(
        Status.FORGOTTEN,
        "The lease of client %s is over: request %s was not executed now, and whether it was before is no longer known."
            .formatted(Long.toHexString(identity().client()), identity()));
  }

  private CallReply fenced() {
    return CallReply.saying(
        Status.NOT_PRIMARY,
        "Epoch %d of %s is over: request %s was not executed here; ask the present primary."
            .formatted(epoch.orElse(0), request.service(), identity()));
  }

  private CallReply rolledBack(Throwable exception) {
    return CallReply.saying(
        Status.ROLLED_BACK,
        "Request %s was rolled back (%s); it may be sent again.".formatted(identity(), exception));
  }

  private CallReply unavailable(Throwable exception) {
    return CallReply.saying(
        Status.UNAVAILABLE,
        "The database was not there for request %s, which was not executed now (%s); it may be sent again."
            .formatted(identity(), exception));
  }

  private CallReply inDoubt(Throwable exception) {
    return CallReply.saying(
        Status.IN_DOUBT,
        "The database broke off while request %s was committed: whether it was executed is unknown (%s); send it again under the same identity to learn its reply."
            .formatted(identity(), exception));
  }

  private CallReply committedByItself() {
    return CallReply.saying(
        Status.IN_DOUBT,
        "The method of request %s committed by itself before it had ended: whether all of it took effect is unknown, and it is not executed again."
            .formatted(identity()));
  }

  private RequestIdentity identity() {
    return request.identity();
  }
}
