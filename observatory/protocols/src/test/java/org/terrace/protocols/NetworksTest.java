package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.TunnelledCapture.Ends;
import org.terrace.protocols.TunnelledCapture.Kind;
import org.terrace.protocols.captures.Captures;
import org.terrace.wire.statistics.WireCount;

/** Hosts of equal addresses in several networks, and packets of one connection that come late. */
class NetworksTest {
  private static final long MILLIS = 1_000_000L;
  private static final int REQUESTS = Pages.REQUESTS;

  private static final Pages SHOP = new Pages("/shop", 0);
  private static final Pages BANK = new Pages("/bank", 700_000_000);

  private static Map<String, Long> counts(byte[] capture) {
    assertThat(Captures.read(capture).requests())
        .extracting(Request::outcome)
        .containsOnly(Outcome.OK);
    return Captures.read(capture).requests().stream()
        .collect(
            Collectors.groupingBy(
                each -> each.client() + " " + each.server() + " " + each.requestClass(),
                Collectors.counting()));
  }

  private static String zone(Kind kind, int number) {
    String word =
        switch (kind) {
          case VXLAN, VXLAN_OF_LINUX -> "vxlan";
          case GENEVE -> "geneve";
          case GRE_WITH_KEY -> "gre";
          case NVGRE -> "nvgre";
          case ERSPAN_2, ERSPAN_3, IP_IN_IP -> throw new AssertionError(kind);
        };
    return "%" + word + number;
  }

  private static Map<String, Long> bothTenants(String zone) {
    return Map.of(
        "10.0.0.1 10.0.0.2:8080 GET /shop",
        (long) REQUESTS,
        "10.0.0.1" + zone + " 10.0.0.2" + zone + ":8080 GET /bank",
        (long) REQUESTS);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"ERSPAN_2", "ERSPAN_3", "IP_IN_IP"})
  void tenantsOfEqualAddressesAreServersOfTheirOwn(Kind kind) {
    byte[] both =
        TunnelledCapture.joined(
            TunnelledCapture.of(SHOP.recorded(0), kind, 5_000, Ends.OVERLAY),
            TunnelledCapture.of(BANK.recorded(100_000), kind, 6_000, Ends.OVERLAY));

    assertThat(counts(both)).isEqualTo(bothTenants(zone(kind, 6_000)));
    assertThat(Captures.read(both).connections())
        .extracting(ObservedConnection::serverAddress, ObservedConnection::requests)
        .containsExactlyInAnyOrder(
            tuple("10.0.0.2:8080", (long) REQUESTS),
            tuple("10.0.0.2" + zone(kind, 6_000) + ":8080", (long) REQUESTS));
    assertThat(Captures.read(both).result().servers()).hasSize(2);
  }

  /**
   * Four pages each of two servers of one address and port, by clients of one address and port, in
   * two VXLAN networks of Linux between the same two hosts, at the same time; recorded by {@code
   * tcpdump -s 400} between the hosts.
   */
  @Test
  void realNetworksOfEqualAddressesAreToldApart() {
    byte[] recorded = Captures.resource("networks.pcap.gz");

    assertThat(counts(recorded))
        .isEqualTo(
            Map.of(
                "10.9.0.1 10.9.0.2:8080 GET /shop", 4L,
                "10.9.0.1%vxlan200 10.9.0.2%vxlan200:8080 GET /bank", 4L));
    assertThat(Captures.read(recorded).connections())
        .extracting(ObservedConnection::ending)
        .containsExactly(ObservedConnection.Ending.CLOSED, ObservedConnection.Ending.CLOSED);
  }

  /** A host of two tenants records with {@code -i any}: their devices and the tunnels between. */
  @ParameterizedTest
  @ValueSource(longs = {5_000, -5_000})
  void tenantsThatShowInsideAndOutsideAreToldApart(long laterNanos) {
    byte[] all =
        TunnelledCapture.joined(
            SHOP.recorded(0),
            TunnelledCapture.of(SHOP.recorded(laterNanos), Kind.VXLAN, 5, Ends.OVERLAY),
            BANK.recorded(100_000),
            TunnelledCapture.of(BANK.recorded(100_000 + laterNanos), Kind.VXLAN, 6, Ends.OVERLAY));

    assertThat(counts(all)).isEqualTo(bothTenants("%vxlan6"));
  }

  /** A server of whose callers some are on its own host, so that their packets need no tunnel. */
  @Test
  void serverOfCallersInsideAndOutsideOfATunnelIsOne() {
    byte[] remote = new Pages("/shop", 41_000, 99).recorded(0);
    byte[] all =
        TunnelledCapture.joined(
            SHOP.recorded(MILLIS),
            TunnelledCapture.of(remote, Kind.VXLAN, 1, Ends.OVERLAY),
            new Pages("/shop", 41_000, 99).recorded(3_000));

    assertThat(counts(all)).isEqualTo(Map.of("10.0.0.1 10.0.0.2:8080 GET /shop", 2L * REQUESTS));
  }

  /** As overlays route: what goes to a host is in that host's network. */
  @ParameterizedTest
  @EnumSource(names = {"VXLAN", "GENEVE", "GRE_WITH_KEY"})
  void connectionWhoseDirectionsAreInTwoNetworksIsOne(Kind kind) {
    byte[] routed = TunnelledCapture.byDestination(SHOP.recorded(0), kind);
    byte[] others =
        TunnelledCapture.of(
            new Pages("/shop", 41_000, 99).recorded(30 * MILLIS), kind, 1, Ends.OVERLAY);

    assertThat(counts(TunnelledCapture.joined(routed, others)))
        .isEqualTo(Map.of("10.0.0.1 10.0.0.2:8080 GET /shop", 2L * REQUESTS));
    assertThat(Captures.read(routed).connections()).hasSize(1);
  }

  /** Sessions of mirroring have numbers of their own, which are no networks. */
  @ParameterizedTest
  @EnumSource(names = {"MIRROR", "MIRROR_OF_THE_SERVER"})
  void sessionsOfMirrorsAreNoNetworks(Ends ends) {
    byte[] sessions =
        TunnelledCapture.joined(
            TunnelledCapture.of(SHOP.recorded(0), Kind.VXLAN, 11, ends),
            TunnelledCapture.of(
                new Pages("/shop", 41_000, 99).recorded(100_000), Kind.VXLAN, 12, ends));

    assertThat(counts(sessions))
        .isEqualTo(Map.of("10.0.0.1 10.0.0.2:8080 GET /shop", 2L * REQUESTS));
  }

  /** A file may hold all packets outside of a tunnel before those inside. */
  @ParameterizedTest
  @EnumSource
  void copiesThatComeBehindTheEndOfTheirConnectionTellNothing(Kind kind) {
    byte[] plain = SHOP.recorded(0);
    byte[] late = TunnelledCapture.of(SHOP.recorded(50 * MILLIS), kind);

    for (byte[] both :
        List.of(
            TunnelledCapture.joined(plain, late),
            TunnelledCapture.joined(
                TunnelledCapture.of(plain, kind), SHOP.recorded(50 * MILLIS)))) {
      assertThat(counts(both)).isEqualTo(counts(plain));
      assertThat(Captures.read(both).result().statistics().of(WireCount.DUPLICATE_PACKETS))
          .isEqualTo(TunnelledCapture.size(plain));
      assertThat(Captures.read(both).connections()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {8, 14, 17, 22})
  void copiesThatComeWhenTheirPortsAreUsedAgainTellNothing(long laterMillis) {
    byte[] plain = SHOP.recorded(0);
    byte[] again = new Pages("/again", 3_000_000).recorded(16 * MILLIS);
    byte[] late = TunnelledCapture.of(SHOP.recorded(laterMillis * MILLIS), Kind.GENEVE);

    byte[] all = TunnelledCapture.joined(plain, again, late);
    assertThat(counts(all))
        .isEqualTo(
            Map.of(
                "10.0.0.1 10.0.0.2:8080 GET /shop", (long) REQUESTS,
                "10.0.0.1 10.0.0.2:8080 GET /again", (long) REQUESTS));
    assertThat(Captures.read(all).connections()).hasSize(2);
  }

  /** The end of a connection is lost, and its ports are used again in the same network. */
  @ParameterizedTest
  @ValueSource(longs = {5_000, -5_000})
  void connectionOfTheSamePortsEndsTheOneBeforeItInItsNetworkAlone(long laterNanos) {
    Pages again = new Pages("/again", 3_000_000);
    byte[] endless = TunnelledCapture.upTo(SHOP.recorded(0), 30);
    byte[] all =
        TunnelledCapture.joined(
            endless,
            TunnelledCapture.of(endless, Kind.VXLAN, 5, Ends.OVERLAY),
            again.recorded(40 * MILLIS),
            TunnelledCapture.of(
                again.recorded(40 * MILLIS + laterNanos), Kind.VXLAN, 5, Ends.OVERLAY),
            TunnelledCapture.of(BANK.recorded(MILLIS / 3), Kind.VXLAN, 6, Ends.OVERLAY));

    assertThat(Captures.read(all).connections())
        .extracting(ObservedConnection::serverAddress, ObservedConnection::ending)
        .containsExactlyInAnyOrder(
            tuple("10.0.0.2:8080", ObservedConnection.Ending.REPLACED),
            tuple("10.0.0.2:8080", ObservedConnection.Ending.CLOSED),
            tuple("10.0.0.2%vxlan6:8080", ObservedConnection.Ending.CLOSED));
  }

  /** Nobody has so many networks, but a capture may be made to look so. */
  @Test
  void endlessNetworksOfTwoEndpointsAreNotAllKept() {
    byte[] opening = TunnelledCapture.upTo(SHOP.recorded(0), 1);
    byte[][] all = new byte[3_000][];
    for (int i = 0; i < all.length; i++) {
      byte[] other = TunnelledCapture.upTo(new Pages("/", i * 100_000).recorded(i * 1_000L), 1);
      all[i] = TunnelledCapture.of(i == 0 ? opening : other, Kind.VXLAN, i, Ends.OVERLAY);
    }

    List<ObservedConnection> read = Captures.read(TunnelledCapture.joined(all)).connections();
    assertThat(read).hasSize(all.length);
    assertThat(read.stream().map(ObservedConnection::serverAddress).distinct().count())
        .isLessThan(100);
    assertThat(
            read.stream().filter(each -> each.ending() == ObservedConnection.Ending.OPEN).count())
        .isLessThan(10);
  }

  /** One of two ways loses packets that the other one has, in the middle of answers too. */
  @Test
  void whatOneWayLosesTheOtherTells() {
    byte[] plain = SHOP.recorded(0);
    byte[] tunnelled = TunnelledCapture.of(SHOP.recorded(3_000), Kind.VXLAN);
    for (int each = 2; each < 9; each++) {
      for (int number = 0; number < each; number++) {
        int other = (number + 1) % each;
        byte[] both =
            TunnelledCapture.joined(
                TunnelledCapture.without(plain, number, each),
                TunnelledCapture.without(tunnelled, other, each));
        Captures.Reading read = Captures.read(both);

        assertThat(read.result().statistics().of(WireCount.GAPS))
            .as("%d of %d", number, each)
            .isZero();
        assertThat(counts(both)).isEqualTo(counts(plain));
        assertThat(read.connections())
            .extracting(ObservedConnection::ending)
            .containsExactly(ObservedConnection.Ending.CLOSED);
      }
    }
  }
}
