package org.terrace.wire.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.testing.Seeds;
import org.terrace.wire.packet.PacketParser.Kind;

/** Packets within packets, built by the documents that define their headers. */
class TunnelTest {
  private static final int ETHERNET = 1;
  private static final int UDP = 17;
  private static final int GRE = 47;
  private static final byte[] WORDS = "GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII);

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  private static byte[] ethernet(int type, byte[] body) {
    return ByteBuffer.allocate(14 + body.length)
        .position(12)
        .putShort((short) type)
        .put(body)
        .array();
  }

  private static byte[] ipv4(int protocol, String from, String to, byte[] body) {
    return ByteBuffer.allocate(20 + body.length)
        .put((byte) 0x45)
        .put((byte) 0)
        .putShort((short) (20 + body.length))
        .putInt(0x0007_4000)
        .put((byte) 64)
        .put((byte) protocol)
        .putShort((short) 0)
        .put(hex(from))
        .put(hex(to))
        .put(body)
        .array();
  }

  private static byte[] ipv6(int protocol, byte[] body) {
    return ByteBuffer.allocate(40 + body.length)
        .putInt(0x6000_0000)
        .putShort((short) body.length)
        .put((byte) protocol)
        .put((byte) 64)
        .putLong(1)
        .putLong(2)
        .putLong(1)
        .putLong(3)
        .put(body)
        .array();
  }

  private static byte[] tcp() {
    return ByteBuffer.allocate(20 + WORDS.length)
        .putShort((short) 40_000)
        .putShort((short) 8080)
        .putInt(1_000)
        .putInt(2_000)
        .putShort((short) 0x5018)
        .putShort((short) 500)
        .putInt(0)
        .put(WORDS)
        .array();
  }

  private static byte[] udp(int port, byte[] body) {
    return ByteBuffer.allocate(8 + body.length)
        .putShort((short) 50_000)
        .putShort((short) port)
        .putShort((short) (8 + body.length))
        .putShort((short) 0)
        .put(body)
        .array();
  }

  private static final byte[] INNER = ipv4(6, "0a000001", "0a000002", tcp());
  private static final byte[] FRAME = ethernet(0x0800, INNER);
  private static final byte[] INNER_6 = ipv6(6, tcp());

  private static byte[] outer(int protocol, byte[] body) {
    return ethernet(0x0800, ipv4(protocol, "c0a80001", "c0a80002", body));
  }

  private static byte[] vxlan(int port, String header, byte[] frame) {
    return outer(UDP, udp(port, join(hex(header), frame)));
  }

  private static byte[] geneve(String header, byte[] frame) {
    return vxlan(6081, header, frame);
  }

  private static byte[] gre(String header, byte[] packet) {
    return outer(GRE, join(hex(header), packet));
  }

  static Stream<Arguments> tunnels() {
    return Stream.of(
        arguments("VXLAN", vxlan(4789, "08000000 00002a00", FRAME)),
        arguments("VXLAN as Linux had it", vxlan(8472, "08000000 00000100", FRAME)),
        arguments("VXLAN with a group policy", vxlan(4789, "88080123 00002a00", FRAME)),
        arguments("VXLAN with a VLAN tag", vxlan(4789, "08000000 00002a00", tagged())),
        arguments(
            "VXLAN over IPv6",
            ethernet(0x86dd, ipv6(UDP, udp(4789, join(hex("08000000 00002a00"), FRAME))))),
        arguments("Geneve", geneve("00006558 00002a00", FRAME)),
        arguments("Geneve of IPv4", geneve("00000800 00002a00", INNER)),
        arguments("Geneve with options", geneve("02406558 00002a00 01028001 11223344", FRAME)),
        arguments("GRE", gre("00000800", INNER)),
        arguments("GRE with a key", gre("20000800 00000007", INNER)),
        arguments("GRE with all of them", gre("b0000800 12340000 00000007 00000001", INNER)),
        arguments("GRE of Ethernet", gre("20006558 00002a01", FRAME)),
        arguments("ERSPAN I", gre("000088be", FRAME)),
        arguments("ERSPAN II", gre("100088be 00000001 10640007 00000001", FRAME)),
        arguments("ERSPAN III", gre("100022eb 00000001 20640007 00000001 00000000", FRAME)),
        arguments(
            "ERSPAN III with a platform's header",
            gre("100022eb 00000001 20640007 00000001 00000001 1122334455667788", FRAME)),
        arguments("ERSPAN III of IP", gre("100022eb 00000001 20640007 00000001 00000800", INNER)),
        arguments("IP in IP", outer(4, INNER)),
        arguments("three tunnels", vxlan(4789, "08000000 00002a00", gre("00000800", outerIp()))));
  }

  private static byte[] tagged() {
    return join(new byte[12], hex("8100 0064"), Arrays.copyOfRange(FRAME, 12, FRAME.length));
  }

  /** IP in IP, without the frame around it. */
  private static byte[] outerIp() {
    byte[] frame = outer(4, INNER);
    return Arrays.copyOfRange(frame, 14, frame.length);
  }

  private static Kind parse(PacketParser parser, byte[] packet, int captured) {
    byte[] moved = new byte[packet.length + 7];
    System.arraycopy(packet, 0, moved, 7, packet.length);
    // Nothing behind what was captured may be looked at.
    Arrays.fill(moved, 7 + captured, moved.length, (byte) 0xaa);
    return parser.parse(Arrays.copyOf(moved, 7 + captured), 7, captured, packet.length, ETHERNET);
  }

  private static void assertInner(PacketParser parser) {
    assertThat(new HostAddress(parser.sourceHigh(), parser.sourceLow())).hasToString("10.0.0.1");
    assertThat(new HostAddress(parser.destinationHigh(), parser.destinationLow()))
        .hasToString("10.0.0.2");
    assertThat(parser.sourcePort()).isEqualTo(40_000);
    assertThat(parser.destinationPort()).isEqualTo(8080);
    assertThat(parser.identification()).isEqualTo(7);
    assertThat(parser.payloadBytes()).isEqualTo(WORDS.length);
    assertThat(parser.path()).isNotZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tunnels")
  void innermostPacketIsWhatIsRead(String name, byte[] packet) {
    PacketParser parser = new PacketParser();

    assertThat(parse(parser, packet, packet.length)).isEqualTo(Kind.TCP);
    assertInner(parser);
    assertThat(parser.payloadCaptured()).isEqualTo(WORDS.length);
    assertThat(parse(parser, FRAME, FRAME.length)).isEqualTo(Kind.TCP);
    assertThat(parser.path()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tunnels")
  void cutPacketsAreReadAsFarAsTheyGo(String name, byte[] packet) {
    PacketParser parser = new PacketParser();
    int headers = packet.length - WORDS.length;
    for (int captured = 0; captured < packet.length; captured++) {
      Kind kind = parse(parser, packet, captured);

      assertThat(kind == Kind.TCP)
          .as("%d of %d", captured, packet.length)
          .isEqualTo(captured >= headers);
      if (kind == Kind.TCP) {
        assertInner(parser);
        assertThat(parser.payloadCaptured()).isEqualTo(captured - headers);
      }
    }
  }

  @Test
  void ipv6InIpv4IsRead() {
    PacketParser parser = new PacketParser();
    byte[] packet = outer(41, INNER_6);

    assertThat(parse(parser, packet, packet.length)).isEqualTo(Kind.TCP);
    assertThat(new HostAddress(parser.sourceHigh(), parser.sourceLow())).hasToString("::1:0:0:0:2");
    assertThat(parser.payloadBytes()).isEqualTo(WORDS.length);
  }

  static List<Arguments> others() {
    return List.of(
        arguments("no I flag", vxlan(4789, "00000000 00002a00", FRAME)),
        arguments("a flag of another protocol", vxlan(4789, "0c000000 00002a00", FRAME)),
        arguments("a reserved bit", vxlan(4789, "08000001 00002a00", FRAME)),
        arguments("the last byte", vxlan(4789, "08000000 00002a01", FRAME)),
        arguments("another port", vxlan(4790, "08000000 00002a00", FRAME)),
        arguments("Geneve of another version", geneve("40006558 00002a00", FRAME)),
        arguments("Geneve's control packet", geneve("00806558 00002a00", FRAME)),
        arguments("a reserved bit of Geneve", geneve("00016558 00002a00", FRAME)),
        arguments("Geneve's last byte", geneve("00006558 00002a01", FRAME)),
        arguments("Geneve of another type", geneve("00001234 00002a00", FRAME)),
        arguments("options longer than the packet", geneve("3f006558 00002a00", new byte[20])),
        arguments("PPTP", gre("2001880b 00000000", INNER)),
        arguments("GRE with source routes", gre("40000800 00000000", INNER)),
        arguments("ERSPAN of another version", gre("100088be 00000001 30640007 00000001", FRAME)),
        arguments("DNS", outer(UDP, udp(53, new byte[40]))),
        arguments("a short datagram", outer(UDP, udp(4789, new byte[4]))),
        arguments("an empty VXLAN header", outer(UDP, udp(4789, new byte[8]))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void whatIsNoTunnelIsLeftAlone(String name, byte[] packet) {
    assertThat(parse(new PacketParser(), packet, packet.length)).isEqualTo(Kind.NOT_TCP);
  }

  /** A packet within so many of IP in IP. */
  private static byte[] nested(int tunnels) {
    byte[] packet = INNER;
    for (int i = 0; i < tunnels; i++) {
      packet = ipv4(4, "c0a80001", "c0a80002", packet);
    }
    return ethernet(0x0800, packet);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 5, 100})
  void tunnelsAreLookedIntoUpToADepth(int tunnels) {
    byte[] packet = nested(tunnels);

    assertThat(parse(new PacketParser(), packet, packet.length))
        .isEqualTo(tunnels <= PacketParser.TUNNELS_MAX ? Kind.TCP : Kind.UNDECODABLE);
  }

  @Test
  void networksOfTunnelsAreToldApart() {
    List<byte[]> packets =
        List.of(
            vxlan(4789, "08000000 00002a00", FRAME),
            vxlan(4789, "08000000 00002b00", FRAME),
            geneve("00006558 00002a00", FRAME),
            gre("20000800 00000007", INNER),
            gre("20000800 00000008", INNER),
            outer(4, INNER),
            nested(2),
            FRAME);
    PacketParser parser = new PacketParser();

    assertThat(packets)
        .extracting(packet -> {
          parse(parser, packet, packet.length);
          return parser.path();
        })
        .doesNotHaveDuplicates();
  }

  private static String networkOf(byte[] packet) {
    PacketParser parser = new PacketParser();
    assertThat(parse(parser, packet, packet.length)).isEqualTo(Kind.TCP);
    assertThat(parser.network() == 0).isEqualTo(parser.networkName().isEmpty());
    return parser.networkName();
  }

  @Test
  void networksAreNamedByWhatSeparatesAddresses() {
    assertThat(networkOf(vxlan(4789, "08000000 ffff2a00", FRAME))).isEqualTo("vxlan16777002");
    assertThat(networkOf(vxlan(8472, "08000000 00000100", FRAME))).isEqualTo("vxlan1");
    assertThat(networkOf(geneve("02406558 00002a00 01028001 11223344", FRAME)))
        .isEqualTo("geneve42");
    assertThat(networkOf(gre("20000800 ffffffff", INNER))).isEqualTo("gre4294967295");
    // The last byte of NVGRE's key is a flow's; numbers below 4096 are reserved there.
    assertThat(networkOf(gre("20006558 00100001", FRAME))).isEqualTo("nvgre4096");
    assertThat(networkOf(gre("20006558 001000ff", FRAME))).isEqualTo("nvgre4096");
    assertThat(networkOf(gre("20006558 000fffff", FRAME))).isEqualTo("gre1048575");
    byte[] within = udp(4789, join(hex("08000000 00000900"), FRAME));
    byte[] ofOthers = ethernet(0x0800, ipv4(UDP, "c0a80003", "c0a80004", within));
    assertThat(networkOf(vxlan(4789, "08000000 00000700", ofOthers))).isEqualTo("vxlan7.vxlan9");
    assertThat(networkOf(gre("100088be 00000001 10640007 00000001", FRAME))).isEmpty();
    assertThat(networkOf(gre("300088be 00000005 00000001 10640007 00000001", FRAME))).isEmpty();
    assertThat(networkOf(outer(4, INNER))).isEmpty();
    assertThat(networkOf(FRAME)).isEmpty();
  }

  /** A cloud's host sends copies of its own packets; the session has a number of its own. */
  @Test
  void hostThatMirrorsItsPacketsTellsNoNetwork() {
    byte[] body = udp(4789, join(hex("08000000 00002a00"), FRAME));

    assertThat(networkOf(ethernet(0x0800, ipv4(UDP, "0a000001", "c0a80002", body)))).isEmpty();
    assertThat(networkOf(ethernet(0x0800, ipv4(UDP, "0a000002", "c0a80002", body)))).isEmpty();
    assertThat(networkOf(ethernet(0x0800, ipv4(UDP, "c0a80002", "0a000002", body))))
        .isEqualTo("vxlan42");
  }

  /** A node of an overlay mirrors its packets, whose tunnel tells the network. */
  @Test
  void hostThatMirrorsPacketsOfItsTunnelsTellsTheirNetwork() {
    byte[] sent = vxlan(4789, "08000000 00000900", FRAME);

    assertThat(networkOf(vxlan(4789, "08000000 00000700", sent))).isEqualTo("vxlan9");
    byte[] body = udp(4789, join(hex("08000000 00000700"), sent));
    assertThat(networkOf(ethernet(0x0800, ipv4(UDP, "c0a80002", "c0a80009", body))))
        .isEqualTo("vxlan9");
    assertThat(networkOf(ethernet(0x0800, ipv4(UDP, "c0a80003", "c0a80009", body))))
        .isEqualTo("vxlan7.vxlan9");
  }

  @Test
  void networkStandsBehindAnAddress() {
    assertThat(new HostAddress(0, 0xffff_0a00_0001L, "vxlan42").withPort(80))
        .isEqualTo("10.0.0.1%vxlan42:80");
    assertThat(new HostAddress(0, 1, "geneve7").withPort(80)).isEqualTo("[::1%geneve7]:80");
    assertThat(new HostAddress(0, 1, "geneve7")).isNotEqualTo(new HostAddress(0, 1));
  }

  /** A mirror may cut what it sends, and the packet within says how long it was. */
  @Test
  void lengthOfTheInnerPacketCounts() {
    byte[] cut = Arrays.copyOf(FRAME, FRAME.length - 10);
    byte[] packet = gre("100088be 00000001 10640007 00000001", cut);
    PacketParser parser = new PacketParser();

    assertThat(parse(parser, packet, packet.length)).isEqualTo(Kind.TCP);
    assertThat(parser.payloadBytes()).isEqualTo(WORDS.length);
    assertThat(parser.payloadCaptured()).isEqualTo(WORDS.length - 10);
  }

  @Test
  void paddingBehindATunnelIsNoPayload() {
    byte[] packet = join(gre("00000800", INNER), new byte[30]);
    PacketParser parser = new PacketParser();

    assertThat(parse(parser, packet, packet.length)).isEqualTo(Kind.TCP);
    assertThat(parser.payloadBytes()).isEqualTo(WORDS.length);
    assertThat(parser.payloadCaptured()).isEqualTo(WORDS.length);
  }

  @Test
  void lengthsThatLieAndDamageNeverReachOutside() {
    RandomGenerator random = Seeds.generator(Seeds.next("damaged-tunnels"));
    List<byte[]> packets = tunnels().map(each -> (byte[]) each.get()[1]).toList();
    PacketParser parser = new PacketParser();
    for (int i = 0; i < 200_000; i++) {
      byte[] packet = packets.get(random.nextInt(packets.size())).clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        packet[random.nextInt(packet.length)] = (byte) random.nextInt();
      }
      int captured = random.nextInt(packet.length + 1);
      byte[] there = Arrays.copyOf(packet, captured);

      if (parser.parse(there, 0, captured, packet.length, ETHERNET) == Kind.TCP) {
        assertThat(parser.payloadCaptured()).isBetween(0, parser.payloadBytes());
        if (parser.payloadCaptured() > 0) {
          assertThat(parser.payloadOffset() + parser.payloadCaptured())
              .isLessThanOrEqualTo(captured);
        }
      }
    }
  }
}
