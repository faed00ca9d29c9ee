package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ClusterEffect;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.jdbc.recovery.LoggedStatement;
import org.terrace.cluster.jdbc.recovery.TransactionRecord;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.memory.FencedException;

/**
 * The branches of a writing transaction, one at each replica, and what the core has done at them.
 * Effects come in the core's steps, from any thread: they find what they need of the client's in
 * its questions, and never see what the client does beside.
 */
final class TransactionBranches {
  /** The work of a transaction at one replica. */
  @FunctionalInterface
  interface BranchWork<T> {
    T run(Connection connection) throws SQLException;
  }

  private final DatabaseCluster cluster;
  private final long id;
  private final List<String> settings;
  private final PendingAnswer<ClientQuestion, Integer> pending;
  private final LearnedTables tables;
  private final Map<Integer, ReplicaBranch> branches = new ConcurrentHashMap<>();

  // Of the core's steps alone.
  private String lasting = "";
  private final List<ClientQuestion> steps = new ArrayList<>();
  private long position;

  TransactionBranches(
      DatabaseCluster cluster,
      long id,
      List<String> settings,
      PendingAnswer<ClientQuestion, Integer> pending,
      LearnedTables tables) {
    this.cluster = cluster;
    this.id = id;
    this.settings = List.copyOf(settings);
    this.pending = pending;
    this.tables = tables;
  }

  /** Takes a connection of a replica on which the transaction has begun. */
  void begun(int replica, Connection connection) {
    branches.put(replica, newBranch(replica, connection));
  }

  /** Whether a replica takes part, and has been there since. */
  boolean has(int replica) {
    ReplicaBranch branch = branches.get(replica);
    return branch != null && !branch.isLeft();
  }

  /** A replica is taken out; if it comes back, it gets the transaction as a whole. */
  void leave(int replica) {
    ReplicaBranch branch = branches.get(replica);
    if (branch != null) {
      branch.leave();
    }
  }

  /** Does something for each branch but one. */
  void others(int chosen, BiConsumer<Integer, ReplicaBranch> action) {
    branches.forEach((replica, branch) -> {
      if (replica != chosen) {
        action.accept(replica, branch);
      }
    });
  }

  /**
   * Does something at one replica after what was given before; one that was taken out since is
   * lost, also if it is back.
   */
  <T> CompletableFuture<T> submit(int replica, BranchWork<T> work) {
    ReplicaBranch branch = branches.computeIfAbsent(replica, number -> newBranch(number, null));
    return branch.ask(() -> work.run(branch.open()));
  }

  /** Lets the further pages of a result be fetched by the branch that it is of. */
  void fetch(int replica, OpenResult result) {
    ReplicaBranch branch = branches.get(replica);
    if (branch != null) {
      result.fetchedAt(branch);
    }
  }

  /** Gives the branch at a replica what the core wants done there. */
  void perform(ClusterEffect.AtReplica effect) {
    switch (effect) {
      case ClusterEffect.Execute execute -> execute(execute);
      case ClusterEffect.Prepare prepare -> prepare(prepare);
      case ClusterEffect.CommitAt commit -> commitAt(commit.replica());
      case ClusterEffect.RollBackAt undo -> rollBackAt(undo.replica());
      case ClusterEffect.Replay replay -> replay(replay.replica());
    }
  }

  private void execute(ClusterEffect.Execute execute) {
    ReplicaBranch branch = branchAt(execute.replica());
    ClientQuestion question = step(execute.statement());
    WriteStep current = question.step();
    if (current != null && current.lasts()) {
      lasting = question.statement();
    }
    branch.submit(() ->
        attempt(
            execute.replica(),
            branch,
            () -> {
              if (question.changesSettings()) {
                branch.changesSettings();
              }
              StatementOutcome outcome = branch.run(current, execute.replica());
              cluster.post(
                  new ClusterEvent.Executed(id, execute.statement(), execute.replica(), outcome));
            }));
  }

  /**
   * The question of a statement by its number. A replica may be behind: then its client has gone on
   * to others when it is done there.
   */
  private ClientQuestion step(int statement) {
    if (statement == steps.size()) {
      steps.add(pending.question());
    }
    return steps.get(statement);
  }

  /** All that was done, for the log. */
  TransactionRecord record() {
    List<LoggedStatement> all = pending.question().logged(cluster.active());
    return new TransactionRecord(position, settings, all);
  }

  /** Does the whole transaction at a replica that has come since it began. */
  private void replay(int replica) {
    ReplicaBranch branch = branchAt(replica);
    boolean dropped = pending.question().changesSettings();
    TransactionRecord all = record();
    branch.submit(() ->
        attempt(
            replica,
            branch,
            () -> {
              if (dropped) {
                branch.changesSettings();
              }
              cluster.recovery().replay(replica, branch.open(), all);
              branch.close();
              cluster.post(new ClusterEvent.Committed(id, replica));
            }));
  }

  private void prepare(ClusterEffect.Prepare prepare) {
    position = prepare.position();
    ReplicaBranch branch = branchAt(prepare.replica());
    String definition = lasting;
    boolean left = pending.question().left();
    branch.submit(() ->
        attempt(
            prepare.replica(),
            branch,
            () -> {
              StatementOutcome outcome;
              try {
                if (left) {
                  // Its client would, before anybody gets the locks of the transaction.
                  tables.learn(branch.open());
                }
                cluster.recovery().mark(prepare.replica(), branch.open(), prepare.position());
                if (!definition.isEmpty()) {
                  cluster.recovery().lease().tables().forget(branch.open(), definition);
                }
                outcome = StatementOutcome.done("");
              } catch (FencedException e) {
                throw e;
              } catch (SQLException e) {
                if (FailureKind.of(e) == FailureKind.LOST) {
                  throw e;
                }
                outcome = FailureKind.outcome(e);
              }
              cluster.post(new ClusterEvent.Prepared(id, prepare.replica(), outcome));
            }));
  }

  private void commitAt(int replica) {
    ReplicaBranch branch = branchAt(replica);
    ClientQuestion last = pending.question();
    OpenResult kept = replica == last.keptAt() ? last.kept() : null;
    branch.submit(() ->
        attempt(
            replica,
            branch,
            () -> {
              branch.open().commit();
              Connection connection = kept == null ? null : branch.take();
              if (connection != null && kept != null) {
                kept.onClose(() -> branch.release(connection));
              } else {
                branch.close();
              }
              cluster.post(new ClusterEvent.Committed(id, replica));
            }));
  }

  private void rollBackAt(int replica) {
    ReplicaBranch branch = branchAt(replica);
    boolean settles = !lasting.isEmpty();
    branch.submit(() ->
        attempt(
            replica,
            branch,
            () -> {
              Connection connection = branch.take();
              if (connection != null) {
                try {
                  branch.undo(connection);
                  if (settles) {
                    cluster.recovery().lease().settleUndone(connection, id);
                  }
                } finally {
                  branch.release(connection);
                }
              }
              cluster.post(new ClusterEvent.RolledBack(id, replica));
            }));
  }

  private void attempt(int replica, ReplicaBranch branch, BranchStep work) {
    try {
      work.run();
    } catch (FencedException e) {
      cluster.recovery().fenced(e.owner());
      // What is decided must not wait for a replica that is another process's.
      failed(replica, branch, e);
    } catch (SQLException e) {
      failed(replica, branch, e);
    } catch (RuntimeException | Error e) {
      failed(replica, branch, new SQLException("its driver failed: " + e, e));
    }
  }

  /** A replica that was taken out since may be back, which an old failure says nothing against. */
  private void failed(int replica, ReplicaBranch branch, SQLException failure) {
    branch.close();
    if (!branch.isLeft()) {
      cluster.failed(replica, failure);
    }
  }

  /** A task of a branch; its failure takes the replica out. */
  @FunctionalInterface
  private interface BranchStep {
    void run() throws SQLException;
  }

  private ReplicaBranch branchAt(int replica) {
    return branches.compute(
        replica,
        (number, known) -> known == null || known.isLeft() ? newBranch(number, null) : known);
  }

  private ReplicaBranch newBranch(int replica, @Nullable Connection begun) {
    return cluster.branch(replica, settings, begun);
  }
}
