package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** Finds out whether {@link RandomDefaults} finds a DEFAULT that is left in a statement. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class RandomDefaultsTest {
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aDefaultThatIsLeftIsFound(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("");
        Connection connection = source.getConnection()) {
      assertThatThrownBy(() ->
              RandomDefaults.writeWithFault(connection, replicas, engine.equals("postgresql")))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("DEFAULT");
    }
  }
}
