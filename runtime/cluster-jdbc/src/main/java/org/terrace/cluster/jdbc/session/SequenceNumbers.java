package org.terrace.cluster.jdbc.session;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.LockMode;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.sql.TableCounter;

/**
 * The numbers of sequences and of AUTO_INCREMENT columns, found once for all servers. Thread-safe.
 *
 * <p>A sequence is moved on at every server by a transaction of its own, which the recovery log
 * keeps, before any of the numbers that it passes is given: whatever becomes of the client's
 * transaction, none is given twice. Numbers are taken in blocks, which grow from 1 to {@value
 * #BLOCK_MAX} while a sequence is used, and what is left of one when the process ends is a gap.
 *
 * <p>A table's counter moves at each server with the rows that it is given, so that it is only
 * read, under the lock under which the table is written.
 */
final class SequenceNumbers {
  private static final int BLOCK_MAX = 64;

  /** PostgreSQL's state for a sequence at its end. */
  private static final String EXHAUSTED = "2200H";

  /** A sequence as one server has it. */
  private record Position(BigInteger next, BigInteger step, BigInteger last) {
    boolean isBefore(Position other) {
      return step.signum() * next.compareTo(other.next) < 0;
    }

    boolean isOver() {
      return step.signum() * next.compareTo(last) > 0;
    }

    /** The position so many numbers later. */
    Position after(long numbers) {
      return new Position(next.add(step.multiply(BigInteger.valueOf(numbers))), step, last);
    }
  }

  private static final class Block {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Position position;
    private long left;
    private long size;
    private long catalogue;
  }

  private final DatabaseCluster cluster;
  private final Map<String, Block> blocks = new ConcurrentHashMap<>();
  private final Map<String, Position> counters = new ConcurrentHashMap<>();

  SequenceNumbers(DatabaseCluster cluster) {
    this.cluster = cluster;
  }

  /** The next number of a sequence, by the name that every session calls it. */
  BigInteger next(String sequence) throws SQLException {
    Block block = blocks.computeIfAbsent(sequence, name -> new Block());
    block.lock.lock();
    try {
      long catalogue = cluster.catalogue();
      if (block.left == 0 || block.catalogue != catalogue) {
        block.left = 0;
        long wanted = block.catalogue == catalogue ? Math.min(BLOCK_MAX, block.size * 2) : 1;
        take(sequence, block, Math.max(1, wanted));
        block.catalogue = catalogue;
      }
      Position position = block.position;
      if (position == null) {
        throw new IllegalStateException("no numbers of " + sequence + " were taken");
      }
      block.position = position.after(1);
      block.left--;
      return position.next();
    } finally {
      block.lock.unlock();
    }
  }

  private void take(String sequence, Block block, long wanted) throws SQLException {
    int home = cluster.active().stream().findFirst().orElse(0);
    ClientTransaction own = cluster.begin(cluster.newSession(), List.of(), home, null);
    boolean done = false;
    try {
      own.lockAsBarrier(
          "moves on " + sequence,
          List.of(new LockDemand(WriteLocks.SEQUENCES, LockMode.SHARED)),
          new RunningStatements());
      Position position = farthest(own, sequence);
      long size = wanted;
      while (size > 1 && position.after(size - 1).isOver()) {
        size /= 2;
      }
      advance(own, sequence, position.after(size - 1));
      done = true;
      own.commit(null);
      block.position = position;
      block.left = size;
      block.size = size;
    } finally {
      if (!done) {
        own.rollback();
      }
    }
  }

  /** The next number within a transaction that may have made or changed the sequence itself. */
  BigInteger nextWithin(ClientTransaction transaction, String sequence) throws SQLException {
    Position position = farthest(transaction, sequence);
    advance(transaction, sequence, position);
    return position.next();
  }

  private void advance(ClientTransaction transaction, String sequence, Position to)
      throws SQLException {
    StatementRequest request =
        StatementRequest.own(cluster.dialect().advanceSequence(sequence, to.next()));
    transaction.write(request, false, List.of(), new RunningStatements()).close();
  }

  /** The next number of a table's counter, within a transaction that has the table's lock. */
  BigInteger next(TableCounter counter, ClientTransaction transaction) throws SQLException {
    Position position = counters.get(counter.table());
    if (position == null) {
      position = farthest(transaction, counter.text());
    }
    counters.put(counter.table(), position.after(1));
    return position.next();
  }

  /** Notes that a row will come with a number of its own, as the servers' counters will. */
  void passes(TableCounter counter, @Nullable Object number, ClientTransaction transaction)
      throws SQLException {
    Position position = counters.get(counter.table());
    if (position == null) {
      position = farthest(transaction, counter.text());
    }
    try {
      BigInteger after = new BigDecimal(String.valueOf(number)).toBigInteger().add(BigInteger.ONE);
      if (after.compareTo(position.next()) > 0) {
        position = new Position(after, position.step(), position.last());
      }
    } catch (NumberFormatException e) {
      // The servers refuse it.
    }
    counters.put(counter.table(), position);
  }

  /** Reads the counters of these tables anew, as rows came with numbers of their own. */
  void forget(Collection<String> tables) {
    counters.keySet().removeIf(counted -> tables.stream().anyMatch(counted::equalsIgnoreCase));
  }

  /** Reads all counters anew, as tables were changed. */
  void forgetAll() {
    counters.clear();
  }

  /** Servers may have come to different positions by what was undone: the farthest counts. */
  private Position farthest(ClientTransaction transaction, String sequence) throws SQLException {
    String query = cluster.dialect().sequencePosition(sequence);
    List<Position> positions =
        new ArrayList<>(
            transaction.reads().everywhere(connection -> read(connection, query, sequence)));
    Position farthest =
        positions.stream()
            .reduce((one, other) -> one.isBefore(other) ? other : one)
            .orElseThrow(
                () -> new SQLException("No replica tells where " + sequence + " is.", EXHAUSTED));
    if (farthest.isOver()) {
      throw new SQLException(
          "The sequence %s has no number after its last, %s. Make it longer with ALTER SEQUENCE."
              .formatted(sequence, farthest.last()),
          EXHAUSTED);
    }
    return farthest;
  }

  private static Position read(Connection connection, String query, String sequence)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      if (!rows.next()) {
        throw new SQLException("There is no sequence " + sequence + ".", "42P01");
      }
      return new Position(number(rows, 1), number(rows, 2), number(rows, 3));
    }
  }

  private static BigInteger number(ResultSet rows, int column) throws SQLException {
    BigDecimal number = rows.getBigDecimal(column);
    return number.toBigInteger();
  }
}
