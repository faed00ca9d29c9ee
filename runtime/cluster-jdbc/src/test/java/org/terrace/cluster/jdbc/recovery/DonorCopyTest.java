package org.terrace.cluster.jdbc.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.server.copy.CopyGate;
import org.terrace.cluster.server.copy.CopyPolicy;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.SchemaSnapshot;
import org.terrace.cluster.server.memory.Openings;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.server.memory.ReplicaMemory;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.TableCatalog;

/** The servers whose data are replaced by others', and those whose are not. */
class DonorCopyTest {
  private static final List<String> OTHERS = List.of("a:1", "b:1");
  private static final long FIRST = Openings.firstViewAfter(0);
  private static final long SECOND = Openings.firstViewAfter(FIRST);
  private static final EngineDialect DIALECT = EngineDialect.of(Engine.POSTGRESQL);

  @Test
  void aCopyIntoAnEmptyServerThatBrokeOffBeginsAgain() {
    assertThat(isRefused(CopyPolicy.BEHIND, "", List.of())).as("empty").isFalse();
    assertThat(isRefused(CopyPolicy.BEHIND, DonorCopy.BEGUN, List.of(), "some of its tables"))
        .as("with the first of the tables, and no memory of a cluster")
        .isFalse();
    assertThat(isRefused(CopyPolicy.NEVER, DonorCopy.BEGUN, List.of())).isTrue();
  }

  @Test
  void dataThatDifferOrAreOthersAreKept() {
    assertThat(isRefused(CopyPolicy.BEHIND, "", List.of(), "a table of its own")).isTrue();
    assertThat(isRefused(CopyPolicy.BEHIND, "", List.of("x:1"), "a table of others")).isTrue();
    assertThat(isRefused(CopyPolicy.BEHIND, "it differs", OTHERS, "a table")).isTrue();
    assertThat(isRefused(CopyPolicy.BEHIND, "", OTHERS, "a table")).isFalse();
    assertThat(isRefused(CopyPolicy.ALWAYS, "it differs", List.of(), "a table")).isFalse();
  }

  /** It may have what was acknowledged, and the others lack. */
  @Test
  void whatAMemberHasThatWentOnWithAnotherLogIsKept() {
    assertThat(refusal(CopyPolicy.BEHIND, SECOND, "", OTHERS, "a table"))
        .hasValueSatisfying(reason -> assertThat(reason).contains("was active without this log"));
    assertThat(refusal(CopyPolicy.BEHIND, SECOND, DonorCopy.BEGUN, OTHERS, "a table")).isEmpty();
    assertThat(refusal(CopyPolicy.BEHIND, SECOND, "", OTHERS)).as("empty").isEmpty();
    assertThat(refusal(CopyPolicy.ALWAYS, SECOND, "", OTHERS, "a table")).isEmpty();
  }

  private static boolean isRefused(
      CopyPolicy policy, String diverged, List<String> members, String... schema) {
    return refusal(policy, FIRST, diverged, members, schema).isPresent();
  }

  /** The log began in the second opening; the server was active last in the one of a view. */
  private static Optional<String> refusal(
      CopyPolicy policy, long view, String diverged, List<String> members, String... schema) {
    ReplicaMemory memory =
        new ReplicaMemory(1, "me", true, 0, view, members, 0, "", diverged, new TreeSet<>());
    SchemaSnapshot tables = new SchemaSnapshot("17", List.of(schema), new TableCatalog(List.of()));
    String log = Openings.identityOfLog(SECOND, UUID.randomUUID()).toString();
    return new DonorCopy(DIALECT, new OwnTables(DIALECT), policy, new CopyGate())
        .refusal("it lacks something", memory, tables, log, OTHERS);
  }
}
