package org.terrace.cluster.jdbc.recovery;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.RememberedPositions;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.recovery.log.LogRecord;
import org.terrace.recovery.log.RecoveryLog;

/**
 * The way of one replica from what it has to the end of the log: what it has not is done again, in
 * the order of the log. Confined to one thread.
 */
public final class CatchUp implements AutoCloseable {
  private final ReplicaServer replica;
  private final ReplicaMemory memory;
  private final RecoveryLog log;
  private final Replayer replayer;
  private final NavigableSet<Long> unknown;
  private long next;
  private long replayed;
  private @Nullable Connection connection;

  /**
   * A catching up that has not begun.
   *
   * @throws ReturnRefusedException when the log cannot tell what the replica lacks
   */
  public CatchUp(ReplicaServer replica, ReplicaMemory memory, RecoveryLog log, Replayer replayer)
      throws ReturnRefusedException {
    Optional<String> lack = lack(memory, log);
    if (lack.isPresent()) {
      throw new ReturnRefusedException(lack.get());
    }
    this.replica = replica;
    this.memory = memory;
    this.log = log;
    this.replayer = replayer;
    this.unknown = new TreeSet<>(memory.applied().tailSet(log.greatestDropped(), false));
    if (memory.floor() > log.greatest()) {
      unknown.add(memory.floor());
    }
    this.next = log.firstIndex();
  }

  /** The reason why the log cannot tell what a replica lacks; empty: it can. */
  public static Optional<String> lack(ReplicaMemory memory, RecoveryLog log) {
    if (!memory.diverged().isEmpty()) {
      return Optional.of("its data are not to be trusted: " + memory.diverged());
    }
    if (!memory.log().equals(log.identity().toString())) {
      return Optional.of(
          memory.log().isEmpty()
              ? "it does not know its position in the recovery log"
              : "its position is one of another recovery log, " + memory.log());
    }
    return memory.floor() < log.greatestDropped()
        ? Optional.of(
            "its position, %d, is older than the recovery log, which begins after %d"
                .formatted(memory.floor(), log.greatestDropped()))
        : Optional.empty();
  }

  /**
   * The position up to which a server may forget what it has that has done all of the log, of those
   * up to a floor.
   */
  public static long floorBelowEnd(RecoveryLog log, long floor) {
    return new RememberedPositions(floor, log.lastPosition().orElse(0))
        .floorBelowEnd(log.greatestDropped());
  }

  /** The number of transactions that were done again. */
  public long replayed() {
    return replayed;
  }

  /** The transactions that the replica has and the log, as far as it was read, has not. */
  public NavigableSet<Long> unknown() {
    return new TreeSet<>(unknown);
  }

  /**
   * Does again what is missing up to a record of the log.
   *
   * @throws SQLException when the replica fails, or the log cannot be read
   */
  public void to(long index) throws SQLException, ReturnRefusedException {
    if (index < next) {
      return;
    }
    ReturnRefusedException[] refusal = new ReturnRefusedException[1];
    SQLException[] failure = new SQLException[1];
    try {
      log.read(
          next,
          index,
          entry -> {
            try {
              apply(entry);
            } catch (ReturnRefusedException e) {
              refusal[0] = e;
              throw new IOException(e);
            } catch (SQLException e) {
              failure[0] = e;
              throw new IOException(e);
            }
          });
    } catch (IOException | MalformedDataException | IllegalStateException e) {
      if (refusal[0] != null) {
        throw refusal[0];
      }
      if (failure[0] != null) {
        throw failure[0];
      }
      throw new SQLException(
          "The recovery log cannot be read: " + e.getMessage(), SqlStates.IO_ERROR, e);
    }
  }

  private void apply(LogRecord entry) throws SQLException, ReturnRefusedException {
    if (!memory.has(entry.position())) {
      TransactionRecord transaction = TransactionRecordCodec.decode(entry.payload());
      if (transaction.changesSettings()) {
        try (Connection own = connect(transaction.settings())) {
          replayer.apply(own, transaction);
        }
      } else {
        replayer.apply(open(), transaction);
      }
      replayed++;
    }
    unknown.remove(entry.position());
    next = entry.index() + 1;
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = connect(List.of());
      connection = open;
    }
    return open;
  }

  private Connection connect(List<String> settings) throws SQLException {
    Connection opened = replica.connect();
    try (Statement statement = opened.createStatement()) {
      statement.execute(EngineDialect.of(replayer.engine()).lockWait(replica.lockWait()));
      opened.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      opened.setAutoCommit(false);
      for (String setting : settings) {
        statement.execute(setting);
      }
      return opened;
    } catch (SQLException e) {
      opened.close();
      throw e;
    }
  }

  @Override
  public void close() throws SQLException {
    Connection open = connection;
    if (open != null) {
      open.close();
    }
  }
}
