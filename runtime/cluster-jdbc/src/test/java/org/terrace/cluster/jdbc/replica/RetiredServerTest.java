package org.terrace.cluster.jdbc.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;

/** A server that was removed from its cluster while sessions use it. */
@Tag("real-processes")
@Tag("untimed")
class RetiredServerTest {
  @Test
  void nothingIsBegunThere() throws Exception {
    try (RealReplicas servers = RealReplicas.start("postgresql", 1)) {
      Properties properties = new Properties();
      properties.setProperty("user", "shop");
      ReplicaServer server = new ReplicaServer(0, ClusterUrl.parse(servers.url(""), properties));
      server.giveBack(server.borrow());
      server.retire();

      assertThatThrownBy(server::borrow)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("was removed");
      assertThatThrownBy(server::connect)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("was removed");
      try (var asked = server.ask()) {
        assertThat(asked.isClosed()).isFalse();
      }
      server.cut();
    }
  }
}
