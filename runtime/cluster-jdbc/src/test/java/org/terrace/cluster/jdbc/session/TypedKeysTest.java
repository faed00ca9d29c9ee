package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Types;
import java.util.List;
import java.util.Set;
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

/** Keys whose type is told, which a driver may turn into other keys. */
class TypedKeysTest {
  private static final LockDemand WHOLE =
      new LockDemand(Lockable.ofTable("lot"), LockMode.EXCLUSIVE);

  @Test
  void aValueThatTheDriverMayNarrowLocksTheTable() {
    assertThat(locks(BoundParameter.typed(65_543, Types.SMALLINT))).containsExactly(WHOLE);
    assertThat(locks(BoundParameter.typed(65_543, Types.TINYINT))).containsExactly(WHOLE);
    assertThat(locks(BoundParameter.typed(16_777_217, Types.REAL))).containsExactly(WHOLE);
    assertThat(locks(BoundParameter.typed(4_294_967_303L, Types.INTEGER))).containsExactly(WHOLE);
    assertThat(locks(BoundParameter.typed(null, Types.INTEGER))).containsExactly(WHOLE);
  }

  @Test
  void aValueThatStaysWhatItIsLocksItsRow() {
    LockDemand row = new LockDemand(new Lockable("lot", "7"), LockMode.EXCLUSIVE);
    assertThat(locks(BoundParameter.of(7))).containsExactly(row);
    assertThat(locks(BoundParameter.typed(7, Types.INTEGER))).containsExactly(row);
    assertThat(locks(BoundParameter.typed(7L, Types.BIGINT))).containsExactly(row);
  }

  private static List<LockDemand> locks(BoundParameter key) {
    StatementAnalysis analysis =
        new StatementAnalysis(
            StatementAnalysis.Kind.WRITE,
            "UPDATE lot SET amount = 1 WHERE id = ?",
            List.of(),
            Set.of("lot"),
            Set.of(),
            false,
            null,
            new RowChoice("lot", List.of(new RowChoice.Part(1, 0, Long.MAX_VALUE))));
    StatementRequest request =
        new StatementRequest(
            "UPDATE lot SET amount = 1 WHERE id = ?",
            List.of(List.of(key)),
            false,
            KeysWanted.NONE,
            StatementOptions.USUAL);
    return WriteLocks.of(analysis, request, Scheduling.KEY);
  }
}
