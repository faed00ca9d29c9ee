package org.terrace.databases.ndblike;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.databases.ndblike.NodeGroup.Place;

class NodeGroupTest {
  @Test
  void dataNodesSideBySideAreAGroup() {
    List<NodeGroup> groups =
        NodeGroup.of(
            List.of("127.0.4.1:3306", "127.0.4.2:3306", "127.0.4.3:3306", "127.0.4.4:3306"));
    assertThat(groups).extracting(NodeGroup::name).containsExactly("group1", "group2");
    assertThat(groups.getLast().nodes())
        .containsExactly(new Place("127.0.4.3", 3306), new Place("127.0.4.4", 3306));
    assertThat(groups.getLast().address()).isEqualTo("gcomm://127.0.4.3:3307,127.0.4.4:3307");
  }

  @Test
  void anOddDataNodeHasNoPartner() {
    List<String> odd = List.of("127.0.4.1:3306", "127.0.4.2:3306", "127.0.4.3:3306");
    assertThatThrownBy(() -> NodeGroup.of(odd))
        .isInstanceOf(TerraceException.class)
        .hasMessage("A node group has 1 data nodes; expected 2.");
  }

  @Test
  void portsThatTheKernelGivesToOthersAreRefused() {
    List<String> high = List.of("127.0.4.1:32765", "127.0.4.2:3306");
    assertThatThrownBy(() -> NodeGroup.of(high))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("port is 32765", "expected one below 32765");
  }
}
