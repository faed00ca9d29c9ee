package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.protocols.TunnelledCapture.Kind;
import org.terrace.protocols.captures.Captures;

/** Tunnels are read by tshark as the tests make them. */
@Tag("real-processes")
@Tag("untimed")
class TunnelsOfTsharkTest {
  private static final byte[] PLAIN = Captures.resource("pgsql.pcap");

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "VXLAN_OF_LINUX")
  void tunnelsAreThoseThatTsharkKnows(Kind kind, @TempDir Path directory) throws Exception {
    String[] fields = {"tcp.srcport", "tcp.dstport", "tcp.seq_raw", "tcp.len"};
    List<String> plain = Tshark.lines(directory, "plain.pcap", PLAIN, fields);
    List<String> tunnelled =
        Tshark.lines(directory, "in.pcap", TunnelledCapture.of(PLAIN, kind), fields);

    assertThat(tunnelled).isEqualTo(plain);
    assertThat(IntStream.range(0, plain.size()).filter(i -> plain.get(i).isBlank())).isEmpty();
  }
}
