package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** Finds out whether {@link RandomDefaults} finds a DEFAULT that is left in a statement. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class RandomDefaultsTest {
  /** The runs within which the fault must be found: in one, few statements may leave a default. */
  private static final int RUNS = 5;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aDefaultThatIsLeftIsFound(String engine) throws Exception {
    Optional<AssertionError> found = Optional.empty();
    for (int run = 0; run < RUNS && found.isEmpty(); run++) {
      found = differenceOfARun(engine);
    }

    assertThat(found)
        .hasValueSatisfying(difference -> assertThat(difference).hasMessageContaining("DEFAULT"));
  }

  private static Optional<AssertionError> differenceOfARun(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("");
        Connection connection = source.getConnection()) {
      RandomDefaults.writeWithFault(connection, replicas, engine.equals("postgresql"));
      return Optional.empty();
    } catch (AssertionError difference) {
      return Optional.of(difference);
    }
  }
}
