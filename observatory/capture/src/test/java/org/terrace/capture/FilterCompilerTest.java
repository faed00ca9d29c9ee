package org.terrace.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class FilterCompilerTest {
  private static final int KEEP = 1000;
  private static final int HOST = 0;
  private static final int OUTGOING = 4;

  /** The header of a packet, made so that networks and ports often match. */
  private record Header(
      boolean version4, int from, int to, int transport, int[] ports, int fragment) {
    static Header random(RandomGenerator random) {
      return new Header(
          random.nextBoolean(),
          random.nextInt(16),
          random.nextInt(16),
          List.of(6, 17, 1).get(random.nextInt(3)),
          new int[] {80 + random.nextInt(6), 80 + random.nextInt(6)},
          random.nextInt(4) == 0 ? 100 : 0);
    }

    static byte[] address(boolean version4, int host) {
      byte[] bytes = new byte[version4 ? 4 : 16];
      bytes[0] = (byte) (version4 ? 127 : 0xfd);
      bytes[bytes.length - 1] = (byte) host;
      return bytes;
    }

    int protocol() {
      return version4 ? 0x0800 : 0x86dd;
    }

    byte[] packet(int linkBytes, int options) {
      ByteBuffer bytes = ByteBuffer.allocate(linkBytes + 100);
      bytes.position(linkBytes);
      if (version4) {
        bytes.put((byte) (0x45 + options)).position(linkBytes + 6);
        bytes.putShort((short) fragment).put((byte) 64).put((byte) transport).putShort((short) 0);
        bytes
            .put(address(true, from))
            .put(address(true, to))
            .position(linkBytes + 20 + 4 * options);
      } else {
        bytes.put((byte) 0x60).position(linkBytes + 6);
        bytes
            .put((byte) transport)
            .put((byte) 64)
            .put(address(false, from))
            .put(address(false, to));
      }
      bytes.putShort((short) ports[0]).putShort((short) ports[1]);
      return bytes.array();
    }

    /** The filter's meaning, said without any program. */
    boolean isKeptBy(CaptureFilter filter) {
      boolean network =
          filter.networks().isEmpty()
              || filter.networks().stream().anyMatch(net -> holds(net, from) || holds(net, to));
      boolean laterFragment = version4 && fragment != 0;
      boolean port =
          filter.ports().isEmpty()
              || (transport != 1
                  && (laterFragment
                      || filter.ports().contains(ports[0])
                      || filter.ports().contains(ports[1])));
      boolean leftOut =
          filter.leftOut().stream().anyMatch(net -> holds(net, from) || holds(net, to));
      boolean restricted = !filter.networks().isEmpty() || !filter.ports().isEmpty();
      return !leftOut && (!restricted || (network && port));
    }

    private boolean holds(AddressPrefix network, int host) {
      byte[] own = address(version4, host);
      byte[] wanted = network.address().getAddress();
      return own.length == wanted.length
          && IntStream.range(0, network.length())
              .allMatch(bit -> ((own[bit / 8] ^ wanted[bit / 8]) >> (7 - bit % 8) & 1) == 0);
    }
  }

  private static CaptureFilter randomFilter(RandomGenerator random) throws Exception {
    return new CaptureFilter(
        randomNetworks(random, 6),
        random.ints(random.nextInt(4), 80, 86).boxed().toList(),
        randomNetworks(random, 3));
  }

  private static List<AddressPrefix> randomNetworks(RandomGenerator random, int fewerThan)
      throws Exception {
    List<AddressPrefix> networks = new ArrayList<>();
    for (int i = random.nextInt(fewerThan); i > 0; i--) {
      boolean version4 = random.nextBoolean();
      int bits = version4 ? 32 : 128;
      int length = random.nextInt(8) == 0 ? random.nextInt(bits + 1) : bits - random.nextInt(4);
      networks.add(
          new AddressPrefix(
              InetAddress.getByAddress(Header.address(version4, random.nextInt(16))), length));
    }
    return networks;
  }

  @Test
  void programsKeepExactlyWhatTheFilterMeans() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("programsKeepExactlyWhatTheFilterMeans"));
    for (int trial = 0; trial < 2000; trial++) {
      CaptureFilter filter = randomFilter(random);
      int linkBytes = random.nextBoolean() ? 14 : 0;
      boolean dropOutgoing = random.nextBoolean();
      FilterProgram program = FilterCompiler.compile(filter, linkBytes, dropOutgoing, KEEP);
      for (int i = 0; i < 20; i++) {
        Header header = Header.random(random);
        int type = random.nextBoolean() ? OUTGOING : HOST;
        boolean kept = header.isKeptBy(filter) && !(dropOutgoing && type == OUTGOING);
        assertThat(
                FilterMachine.run(
                    program, header.packet(linkBytes, random.nextInt(11)), header.protocol(), type))
            .as("%s under %s", header, filter)
            .isEqualTo(kept ? KEEP : 0);
      }
    }
  }

  @Test
  void theKernelTakesTheLargestFilter() {
    assumeTrue(CaptureRights.ofThisProcess().builtIn(), "this process lacks the right CAP_NET_RAW");
    List<AddressPrefix> networks =
        IntStream.range(0, CaptureFilter.MAXIMUM_NETWORKS)
            .mapToObj(i -> AddressPrefix.parse("fd00::%x:1/127".formatted(i)))
            .toList();
    List<Integer> ports = IntStream.rangeClosed(1, CaptureFilter.MAXIMUM_PORTS).boxed().toList();
    NetworkInterfaceFacts link = NetworkInterfaceFacts.of("lo");
    try (PacketRing ring =
        PacketRing.open(
            link,
            CaptureOptions.MINIMUM_RING_BYTES,
            new CaptureFilter(networks, ports, networks),
            CaptureOptions.MAXIMUM_SNAP_LENGTH)) {
      ring.readStatistics();
      assertThat(ring.dropped()).isZero();
    }
  }

  @Test
  void theExpressionForTcpdumpSaysTheSame() {
    assertThat(CaptureFilter.everything().expression()).isEmpty();
    assertThat(CaptureFilter.networks("127.12.9.9/16", "::1").expression())
        .isEqualTo("net 127.12.0.0/16 or net 0:0:0:0:0:0:0:1/128");
    assertThat(
            new CaptureFilter(List.of(AddressPrefix.parse("127.0.0.0/16")), List.of(80, 5432))
                .expression())
        .isEqualTo("(net 127.0.0.0/16) and (port 80 or port 5432)");
    assertThat(CaptureFilter.networks("127.1.2.0/24").without("127.1.9.0/24").expression())
        .isEqualTo("not (net 127.1.9.0/24) and (net 127.1.2.0/24)");
    assertThat(CaptureFilter.everything().without("127.1.9.0/24", "127.2.9.0/24").expression())
        .isEqualTo("not (net 127.1.9.0/24 or net 127.2.9.0/24)");
  }
}
