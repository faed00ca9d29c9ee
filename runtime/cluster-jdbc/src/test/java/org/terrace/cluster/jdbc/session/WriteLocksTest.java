package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.LockMode;
import org.terrace.cluster.core.Lockable;
import org.terrace.cluster.jdbc.settings.Scheduling;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.KeysWanted;
import org.terrace.cluster.server.dialect.StatementOptions;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.sql.RowChoice;
import org.terrace.cluster.sql.StatementAnalysis;

class WriteLocksTest {
  private static final LockDemand TABLE =
      new LockDemand(Lockable.ofTable("lot"), LockMode.EXCLUSIVE);
  private static final LockDemand READ = new LockDemand(Lockable.ofTable("tax"), LockMode.SHARED);

  @Test
  void aBatchLocksEachRowOnce() {
    assertThat(locks(Scheduling.KEY, 3, 1, 3))
        .containsExactlyInAnyOrder(
            new LockDemand(new Lockable("lot", "1"), LockMode.EXCLUSIVE),
            new LockDemand(new Lockable("lot", "3"), LockMode.EXCLUSIVE),
            READ);
  }

  @Test
  void oneRowThatIsNotToldLocksTheTable() {
    assertThat(locks(Scheduling.KEY, 3, -1)).containsExactlyInAnyOrder(TABLE, READ);
  }

  @Test
  void manyRowsLockTheTable() {
    assertThat(locks(Scheduling.KEY, IntStream.range(0, WriteLocks.ROWS_MAX).toArray()))
        .hasSize(WriteLocks.ROWS_MAX + 1);
    assertThat(locks(Scheduling.KEY, IntStream.rangeClosed(0, WriteLocks.ROWS_MAX).toArray()))
        .containsExactlyInAnyOrder(TABLE, READ);
  }

  @Test
  void rowsAreNotLockedUnlessAskedFor() {
    assertThat(locks(Scheduling.TABLE, 3)).containsExactlyInAnyOrder(TABLE, READ);
  }

  private static List<LockDemand> locks(Scheduling scheduling, int... ids) {
    StatementAnalysis analysis =
        new StatementAnalysis(
            StatementAnalysis.Kind.WRITE,
            "UPDATE lot SET price = 1 WHERE id = ?",
            List.of(),
            Set.of("lot"),
            Set.of("tax"),
            false,
            null,
            new RowChoice("lot", List.of(new RowChoice.Part(1, 0, Long.MAX_VALUE))));
    List<List<BoundParameter>> rows =
        IntStream.of(ids).mapToObj(id -> List.of(BoundParameter.of(id))).toList();
    StatementRequest request =
        new StatementRequest(analysis.sql(), rows, true, KeysWanted.NONE, StatementOptions.USUAL);
    return WriteLocks.of(analysis, request, scheduling);
  }
}
