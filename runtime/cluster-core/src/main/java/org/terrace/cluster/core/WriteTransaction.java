package org.terrace.cluster.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of one writing transaction at all replicas. */
final class WriteTransaction {
  /** The stages of a transaction, as its client sees it. */
  enum Phase {
    /** The client thinks. */
    OPEN,
    /** The next statement waits for its locks. */
    LOCKING,
    /** A statement is being executed. */
    EXECUTING,
    /** The replicas write the transaction's position. */
    PREPARING,
    /** Its record waits for a view to be known, or for a replica to come back. */
    HELD,
    /** Its record is being written. */
    LOGGING,
    /** It is decided. */
    COMMITTING,
    /** It is being undone because the client wants it, or because it must. */
    UNDOING,
    /** The client has its last answer; slower replicas may still be at work. */
    OVER
  }

  /** The part of a transaction at one replica. */
  static final class Branch {
    /** Whether the replica came when the transaction was under way, and gets it as a whole. */
    final boolean replayed;

    /** The effects that wait for predecessors at this replica. */
    final Deque<ClusterEffect> pending = new ArrayDeque<>();

    boolean prepared;
    boolean committing;
    boolean finished;

    Branch(boolean replayed) {
      this.replayed = replayed;
    }
  }

  final long id;
  final Map<Integer, Branch> branches = new LinkedHashMap<>();
  final List<OutcomeTally> statements = new ArrayList<>();
  final OutcomeTally preparation = new OutcomeTally();
  Phase phase = Phase.OPEN;
  long position;

  /** The number of its record in the log, once that is on its way. */
  long record;

  /** The number of the last record that its session may have read. */
  long seen;

  /** Whether all replicas are waited for, whatever the strategy. */
  boolean barrier;

  /** The statement of it that stays where it was done, whatever becomes of the transaction. */
  private @Nullable OutcomeTally lasting;

  /** Whether its client has left it, and it goes on by itself for what stays of it. */
  boolean left;

  /** Whether the client has been told that the transaction is undone, and has yet to end it. */
  boolean aborted;

  /**
   * Whether its record failed, and may be in the log nevertheless: it is never let go, so that no
   * replica forgets what another may do from the log.
   */
  boolean mayRemain;

  /** Whether the client has been told how it ended. */
  boolean told;

  /** Whether it is being undone, or has been. */
  boolean undone;

  WriteTransaction(long id) {
    this.id = id;
  }

  /** Adds a statement, which stays where it is done if it lasts. */
  void add(OutcomeTally statement, boolean lasts) {
    statements.add(statement);
    if (lasts) {
      lasting = statement;
    }
  }

  /** Whether one of its statements stays where it is done. */
  boolean isLasting() {
    return lasting != null;
  }

  /** Goes on without a replica. */
  void leave(int replica) {
    branches.remove(replica);
    preparation.remove(replica);
    statements.forEach(ballot -> ballot.remove(replica));
  }

  /** The replicas that take part from the beginning. */
  List<Integer> voters() {
    List<Integer> voters = new ArrayList<>();
    branches.forEach((replica, branch) -> {
      if (!branch.replayed) {
        voters.add(replica);
      }
    });
    return voters;
  }

  /** The number that is waited for, of so many replicas. */
  int needed(WriteStrategy strategy, int replicas) {
    return barrier ? replicas : strategy.needed(replicas);
  }

  OutcomeTally ballot() {
    return phase == Phase.PREPARING ? preparation : statements.getLast();
  }

  int finishedBranches() {
    return (int) branches.values().stream().filter(branch -> branch.finished).count();
  }

  boolean isFinishedEverywhere() {
    return finishedBranches() == branches.size();
  }

  /** Whether its record is not yet on its way to the log. */
  boolean isUndecided() {
    return switch (phase) {
      case OPEN, LOCKING, EXECUTING, PREPARING, HELD -> true;
      case LOGGING, COMMITTING, UNDOING, OVER -> false;
    };
  }

  /**
   * Whether it can be undone: where something stays that it did, it goes on to its commit, and
   * while servers are at that, nobody knows whether it does.
   */
  boolean canBeUndone() {
    return isUndecided() && !mayStay();
  }

  /** Whether it has done what stays, whatever becomes of it. */
  boolean remains() {
    OutcomeTally statement = lasting;
    return statement != null && statement.isDone();
  }

  /** Whether it has done what stays, or servers are at that. */
  boolean mayStay() {
    return remains() || (phase == Phase.EXECUTING && statements.getLast() == lasting);
  }

  /** The replicas that came since it began, and lack what stays of it if it is undone. */
  List<Integer> lacking() {
    return remains() && !voters().isEmpty()
        ? branches.entrySet().stream()
            .filter(branch -> branch.getValue().replayed)
            .map(Map.Entry::getKey)
            .toList()
        : List.of();
  }

  /** Whether it is being undone at a replica, where what it has done stays. */
  boolean isBeingLeft() {
    return undone && remains() && !isFinishedEverywhere();
  }

  /** Whether its client wants it committed: it asks for nothing more, whatever comes of it. */
  boolean isCommitAsked() {
    return switch (phase) {
      case PREPARING, HELD, LOGGING, COMMITTING -> true;
      case OPEN, LOCKING, EXECUTING, UNDOING, OVER -> false;
    };
  }

  /** Whether it is being committed or undone, and its client is not told yet. */
  boolean isEnding() {
    return phase == Phase.COMMITTING || phase == Phase.UNDOING;
  }

  /** A replica that has finished, or the first. */
  int anyReplica() {
    int any = -1;
    for (Map.Entry<Integer, Branch> entry : branches.entrySet()) {
      if (entry.getValue().finished) {
        return entry.getKey();
      }
      any = any < 0 ? entry.getKey() : any;
    }
    return any;
  }
}
