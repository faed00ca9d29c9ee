package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TimeSource;

/** Data nodes that take connections and never answer. */
@Tag("real-processes")
class SilentDataNodesTest {
  private static final int NODES = 8;

  /** Less than the silences of half of the nodes, of two seconds each, one behind the other. */
  private static final Duration LOOKED_WITHIN = Duration.ofSeconds(7);

  @Test
  void aLookTakesAsLongAsOneSilence() throws IOException {
    List<ServerSocket> nodes = new ArrayList<>();
    try {
      for (int node = 0; node < NODES; node++) {
        nodes.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<String> places = nodes.stream().map(node -> "127.0.0.1:" + node.getLocalPort()).toList();
      NdbLikeDatabase database = new NdbLikeDatabase(List.of(), places, "board", "board");
      try (DataNodeWatch watch = new DataNodeWatch(database)) {
        long beginNanos = TimeSource.system().elapsedNanos();
        assertThat(watch.look()).isEmpty();
        long lookNanos = TimeSource.system().elapsedNanos() - beginNanos;
        assertThat(watch.look())
            .hasSize(NODES / 2)
            .allMatch(said -> said.contains("nobody serves"));
        assertThat(Duration.ofNanos(lookNanos)).isLessThan(LOOKED_WITHIN);
      }
    } finally {
      for (ServerSocket node : nodes) {
        node.close();
      }
    }
  }
}
