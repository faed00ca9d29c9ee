package org.terrace.cluster.jdbc.recovery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.copy.CopyGate;
import org.terrace.cluster.server.copy.CopyPolicy;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.SchemaSnapshot;
import org.terrace.cluster.server.memory.DefinitionFence;
import org.terrace.cluster.server.memory.FencedException;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.core.TimeSource;

/**
 * The replacement of a server's data by those of an active one, while that serves.
 *
 * <p>The donor's rows and the positions of its transactions are read in one snapshot, so that the
 * log tells what is missing from the copy as it does of any server. From before the first row is
 * lost until the last one is there, the server itself remembers that its data are not whole: a copy
 * that ends in between is begun anew, by whoever owns the cluster then. Immutable.
 *
 * @param policy the servers whose data may be replaced
 */
public record DonorCopy(
    EngineDialect dialect, OwnTables tables, CopyPolicy policy, CopyGate definitions) {
  private static final Logger LOG = System.getLogger(DonorCopy.class.getName());
  static final String BEGUN = "a copy into it was begun and did not come to its end";

  /**
   * The reason why a server is not to be copied to that cannot go on by the log; empty: it may be.
   *
   * @param lack why it cannot go on by the log
   * @param log the identity of the log
   * @param others the names of the cluster's other servers: who remembers one of them as active was
   *     a member of this cluster, and not of another
   */
  public Optional<String> refusal(
      String lack, ReplicaMemory memory, SchemaSnapshot schema, String log, List<String> others) {
    boolean begun = isBegun(memory);
    boolean empty = schema.lines().isEmpty();
    boolean known = empty || memory.members().stream().anyMatch(others::contains);
    boolean wentOn = !empty && memory.wentOnWithout(log);
    boolean allowed =
        switch (policy) {
          case NEVER -> false;
          case BEHIND -> begun || (known && !wentOn && memory.diverged().isEmpty());
          case ALWAYS -> true;
        };
    if (allowed) {
      return Optional.empty();
    }
    return Optional.of(
        lack
            + (wentOn
                ? "; it was active without this log, and may have what the other servers lack"
                : "")
            + (policy == CopyPolicy.NEVER
                ? ", and copy=never"
                : ": with copy=always its data would be replaced by those of another server"));
  }

  /**
   * Whether a server has nothing but a part of a copy that broke off, which is nobody's, also where
   * it was empty before.
   */
  public static boolean isBegun(ReplicaMemory memory) {
    return memory.diverged().equals(BEGUN);
  }

  /**
   * Copies.
   *
   * @param connection to the target, in auto-commit
   * @param epoch the owner's at the target
   * @return what the target remembers from now on
   * @throws ReturnRefusedException when the servers' versions differ, or the definitions of one
   *     cannot be made at the other
   */
  public ReplicaMemory copy(
      ReplicaServer donor, ReplicaServer target, Connection connection, long epoch)
      throws SQLException, ReturnRefusedException {
    long fromNanos = TimeSource.system().elapsedNanos();
    try (Connection from = donor.connect()) {
      if (!definitions.begin(from)) {
        throw interrupted(null);
      }
      try {
        long rows = copy(from, donor, target, connection, epoch);
        LOG.log(
            Level.INFO,
            "{0} got a copy of {1}: {2} rows in {3} ms.",
            target.name(),
            donor.name(),
            rows,
            (TimeSource.system().elapsedNanos() - fromNanos) / 1_000_000);
        return tables.read(connection);
      } catch (SQLException e) {
        throw definitions.end(from) ? e : interrupted(e);
      } finally {
        definitions.end(from);
      }
    }
  }

  private static SQLException interrupted(@Nullable SQLException cause) {
    return new SQLException(
        "a definition came between its copy, which begins again",
        SqlStates.SERIALIZATION_FAILURE,
        cause);
  }

  private long copy(
      Connection from, ReplicaServer donor, ReplicaServer target, Connection connection, long epoch)
      throws SQLException, ReturnRefusedException {
    dialect.copy().beginSnapshot(from);
    ReplicaMemory memory = tables.read(from);
    String lineage = tables.lineage(from);
    SchemaSnapshot theirs = dialect.schema(from);
    SchemaSnapshot own = dialect.schema(connection);
    String otherVersion = theirs.versionDifference(donor.name(), own, target.name());
    if (!otherVersion.isEmpty()) {
      throw new ReturnRefusedException(otherVersion);
    }
    long rows;
    // The sessions of a copy have settings of their own.
    try (Connection to = target.connect()) {
      boolean same = theirs.difference(donor.name(), own, target.name()).isEmpty();
      rows =
          new DefinitionFence(dialect, tables)
              .within(
                  to,
                  epoch,
                  () -> {
                    tables.markDiverged(to, BEGUN);
                    return dialect.copy().copy(from, to, same);
                  });
    }
    from.rollback();
    String difference = theirs.difference(donor.name(), dialect.schema(connection), target.name());
    if (!difference.isEmpty()) {
      throw new ReturnRefusedException("a copy cannot make all of its definitions: " + difference);
    }
    if (!tables.adopt(connection, epoch, memory, lineage)) {
      throw new FencedException(tables.read(connection).owner());
    }
    return rows;
  }
}
