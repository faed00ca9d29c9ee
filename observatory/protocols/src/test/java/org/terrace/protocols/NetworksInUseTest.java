package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Server;
import org.terrace.protocols.TunnelledCapture.Ends;
import org.terrace.protocols.TunnelledCapture.Kind;
import org.terrace.protocols.captures.Captures;

/** Networks of tunnels as kernels and overlays use them, and not as a test likes them best. */
class NetworksInUseTest {
  private static final long MILLIS = 1_000_000L;
  private static final Pages SHOP = new Pages("/shop", 0);

  private static Map<String, Long> counts(byte[] capture) {
    return Captures.read(capture).requests().stream()
        .collect(
            Collectors.groupingBy(
                each ->
                    each.client()
                        + " "
                        + each.server()
                        + " "
                        + each.requestClass()
                        + " "
                        + each.outcome(),
                Collectors.counting()));
  }

  private static byte[] overlay(Pages pages, int network, long laterNanos) {
    return TunnelledCapture.of(pages.recorded(laterNanos), Kind.VXLAN, network, Ends.OVERLAY);
  }

  /**
   * Linux adds one clock to a hash of addresses and ports that is the same in all networks of a
   * kernel: sequence numbers of equal endpoints differ by the time between the SYNs alone.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 300, 1_562, 100_000, 3_000_000})
  void tenantsOfEqualAddressesAreToldApartHoweverNearTheirSequenceNumbers(int apart) {
    byte[] both =
        TunnelledCapture.joined(
            overlay(SHOP.times(60), 5, 0),
            overlay(new Pages("/bank", apart).times(60), 6, MILLIS / 10));

    assertThat(counts(both))
        .isEqualTo(
            Map.of(
                "10.0.0.1 10.0.0.2:8080 GET /shop OK", 60L,
                "10.0.0.1%vxlan6 10.0.0.2%vxlan6:8080 GET /bank OK", 60L));
    assertThat(Captures.read(both).connections())
        .extracting(ObservedConnection::ending)
        .containsExactly(ObservedConnection.Ending.CLOSED, ObservedConnection.Ending.CLOSED);
  }

  /** Each direction and each client of a server has a number of its own; pools live for days. */
  @Test
  void serverOfConnectionsThatWereOpenBeforeIsOne() {
    byte[][] all = new byte[6][];
    for (int i = 0; i < all.length; i++) {
      Pages pages =
          new Pages("/shop", i * 77).between("10.0.0." + (11 + i), "10.0.0.2").joinedMidway();
      all[i] = TunnelledCapture.bySource(pages.recorded(i * MILLIS / 10), Kind.VXLAN);
    }

    Captures.Reading read = Captures.read(TunnelledCapture.joined(all));
    assertThat(read.requests()).hasSize(all.length * Pages.REQUESTS);
    assertThat(read.requests())
        .extracting(each -> each.server() + " " + each.client())
        .allMatch(each -> each.startsWith("10.0.0.2:8080 10.0.0.1") && !each.contains("%"));
    assertThat(read.result().servers()).hasSize(1);
    assertThat(read.connections())
        .extracting(ObservedConnection::serverAddress)
        .containsOnly("10.0.0.2:8080");
  }

  /** As overlays route, what goes to a host is in that host's network; answers show first. */
  @Test
  void serverOfWhichAnAnswerShowsFirstIsOne() {
    Pages before = new Pages("/shop", 77).between("10.0.0.12", "10.0.0.2").joinedMidway();
    byte[] routed =
        TunnelledCapture.joined(
            TunnelledCapture.byDestination(SHOP.recorded(0), Kind.VXLAN),
            TunnelledCapture.byDestination(
                TunnelledCapture.from(before.recorded(MILLIS / 10), 1), Kind.VXLAN));

    assertThat(Captures.read(routed).requests())
        .extracting(each -> each.server() + " " + each.outcome())
        .containsOnly("10.0.0.2:8080 OK");
    assertThat(Captures.read(routed).result().servers()).hasSize(1);
  }

  /** Nodes of an overlay that mirror their own packets: a session within each of which is a VNI. */
  @ParameterizedTest
  @EnumSource(names = {"MIRROR", "MIRROR_OF_THE_SERVER"})
  void sessionsOfMirrorsOfAnOverlayAreNoNetworks(Ends ends) {
    byte[] one = overlay(SHOP, 7, 0);
    byte[] other = overlay(new Pages("/shop", 99).between("10.0.0.11", "10.0.0.2"), 7, MILLIS / 10);
    byte[] third = overlay(new Pages("/bank", 41_000, 500_000_000), 8, MILLIS / 5);
    byte[] sessions =
        TunnelledCapture.joined(
            TunnelledCapture.of(one, Kind.VXLAN, 11, ends),
            TunnelledCapture.of(other, Kind.VXLAN, 12, ends),
            TunnelledCapture.of(third, Kind.VXLAN, 11, ends));

    assertThat(Captures.read(sessions).requests())
        .extracting(each -> each.server().replaceFirst("vxlan1[12][.]", "") + each.requestClass())
        .hasSize(3 * Pages.REQUESTS)
        .containsOnly("10.0.0.2:8080GET /shop", "10.0.0.2%vxlan8:8080GET /bank");
  }

  /** Connections of which one packet shows before another connection proves their mirror. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void serverOfConnectionsThatShowedBeforeTheirMirrorWasKnownIsOne(boolean isOpened) {
    byte[][] sessions = new byte[8][];
    sessions[0] = TunnelledCapture.of(SHOP.recorded(0), Kind.VXLAN, 11, Ends.MIRROR);
    for (int i = 1; i < sessions.length; i++) {
      Pages pages = new Pages("/shop", i * 77).between("10.0.0." + (11 + i), "10.0.0.2");
      byte[] recorded = (isOpened ? pages : pages.joinedMidway()).recorded(1_000 + i);
      sessions[i] = TunnelledCapture.of(recorded, Kind.VXLAN, 12, Ends.MIRROR);
    }

    Captures.Reading read = Captures.read(TunnelledCapture.joined(sessions));
    assertThat(read.result().servers()).hasSize(1);
    assertThat(read.requests())
        .hasSize(sessions.length * Pages.REQUESTS)
        .allMatch(each -> each.server().equals("10.0.0.2:8080") && !each.client().contains("%"));
    assertThat(read.connections())
        .hasSize(sessions.length)
        .extracting(ObservedConnection::serverAddress)
        .containsOnly("10.0.0.2:8080");
  }

  /** The same where an overlay's networks are within the sessions. */
  @Test
  void networksWithinAMirrorThatIsKnownLaterAreTheirOwn() {
    byte[][] sessions = new byte[6][];
    for (int i = 0; i < sessions.length; i++) {
      Pages pages = new Pages("/shop", i * 77).between("10.0.0." + (11 + i), "10.0.0.2");
      sessions[i] =
          TunnelledCapture.of(
              overlay(pages, 7 + i % 2, 1_000 + i), Kind.VXLAN, 11 + i / 3, Ends.MIRROR);
    }

    Captures.Reading read = Captures.read(TunnelledCapture.joined(sessions));
    assertThat(read.requests()).hasSize(sessions.length * Pages.REQUESTS);
    assertThat(read.result().servers()).hasSize(2);
  }

  /** A gateway's way is known for a mirror's when connections of its networks come on it too. */
  @Test
  void connectionThatTakesTheWayThroughAGatewayLaterKeepsItsNetwork() {
    Pages internal = new Pages("/internal", 40_001, 5_000).between("10.0.0.50", "10.0.0.51");
    byte[] bank = new Pages("/bank", 41_000, 700_000_000).recorded(MILLIS);
    int half = TunnelledCapture.size(bank) / 2;
    byte[] all =
        TunnelledCapture.joined(
            overlay(SHOP, 5, 0),
            TunnelledCapture.of(internal.recorded(MILLIS / 2), Kind.VXLAN, 6, Ends.MIRROR),
            TunnelledCapture.of(TunnelledCapture.upTo(bank, half), Kind.VXLAN, 6, Ends.OVERLAY),
            TunnelledCapture.of(TunnelledCapture.from(bank, half), Kind.VXLAN, 6, Ends.MIRROR));

    assertThat(counts(all))
        .isEqualTo(
            Map.of(
                "10.0.0.1 10.0.0.2:8080 GET /shop OK", 12L,
                "10.0.0.50 10.0.0.51:8080 GET /internal OK", 12L,
                "10.0.0.1%vxlan6 10.0.0.2%vxlan6:8080 GET /bank OK", 12L));
  }

  /**
   * Hosts of one node whose packets all go through a gateway on another, as a mirror sends them.
   */
  @Test
  void wayThroughAGatewayDoesNotEndItsNetwork() {
    Pages internal = new Pages("/internal", 40_001, 5_000).between("10.0.0.50", "10.0.0.51");
    Pages bank = new Pages("/bank", 41_000, 700_000_000);
    byte[] all =
        TunnelledCapture.joined(
            overlay(SHOP, 5, 0),
            TunnelledCapture.of(internal.recorded(MILLIS / 2), Kind.VXLAN, 6, Ends.MIRROR),
            overlay(bank, 6, 20 * MILLIS));

    assertThat(counts(all))
        .isEqualTo(
            Map.of(
                "10.0.0.1 10.0.0.2:8080 GET /shop OK", 12L,
                "10.0.0.50 10.0.0.51:8080 GET /internal OK", 12L,
                "10.0.0.1%vxlan6 10.0.0.2%vxlan6:8080 GET /bank OK", 12L));
  }

  /** One more connection of equal endpoints than are remembered costs one and not all. */
  @ParameterizedTest
  @ValueSource(ints = {8, 9, 10})
  void tenantBeyondTheBoundCostsOne(int tenants) {
    byte[][] all = new byte[tenants][];
    for (int i = 0; i < tenants; i++) {
      all[i] = overlay(new Pages("/tenant", i * 100_000_000), 10 + i, i * 10_000L);
    }

    assertThat(Captures.read(TunnelledCapture.joined(all)).requests())
        .filteredOn(each -> each.outcome() == Outcome.OK)
        .hasSize(8 * Pages.REQUESTS);
  }

  /** Each of so many clients has an identity of its own, in which its server shows for a moment. */
  @Test
  void identitiesOfClientsTakeNoMeterFromServers() {
    byte[][] all = new byte[301][];
    for (int i = 0; i < 300; i++) {
      String client = "10.0." + (1 + i / 60) + "." + (100 + i % 60);
      Pages pages = new Pages("/shop", i * 1_000_003).between(client, "10.0.0." + (2 + i / 60));
      all[i] = TunnelledCapture.bySource(pages.times(1).recorded(i * MILLIS / 10), Kind.VXLAN);
    }
    Pages late = new Pages("/shop", 50_000, 7).between("10.0.1.100", "10.0.0.99").times(3);
    all[300] = TunnelledCapture.bySource(late.recorded(100 * MILLIS), Kind.VXLAN);

    Captures.Reading read = Captures.read(TunnelledCapture.joined(all));
    assertThat(read.requests()).hasSize(303);
    assertThat(read.result().servers()).hasSize(6);
    assertThat(read.result().samples().stream().map(each -> each.node()).distinct())
        .containsExactlyInAnyOrder(
            "10.0.0.2:8080",
            "10.0.0.3:8080",
            "10.0.0.4:8080",
            "10.0.0.5:8080",
            "10.0.0.6:8080",
            "10.0.0.99:8080");
  }

  /** The same identities, of clients whose connections were open before the capture began. */
  @Test
  void passingNamesOfServersTakeNoRoomFromOthers() {
    int inTunnels = 63 * 64;
    int outside = 70;
    byte[][] all = new byte[inTunnels + outside][];
    for (int i = 0; i < inTunnels; i++) {
      String client = "10.0." + (1 + i / 200) + "." + (20 + i % 200);
      Pages pages = new Pages("/shop", i * 1_000_003).between(client, "10.0.0." + (100 + i / 64));
      all[i] =
          TunnelledCapture.bySource(
              pages.joinedMidway().times(1).recorded(i * MILLIS / 10), Kind.VXLAN);
    }
    for (int i = 0; i < outside; i++) {
      Pages late = new Pages("/shop", i).between("10.1.0.1", "10.1.1." + (1 + i)).times(1);
      all[inTunnels + i] = late.recorded((900 + i) * MILLIS);
    }

    Captures.Reading read = Captures.read(TunnelledCapture.joined(all));
    assertThat(read.requests()).hasSize(inTunnels + outside);
    assertThat(read.result().servers())
        .extracting(Server::name)
        .hasSize(63 + outside)
        .contains("10.0.0.100:8080", "10.1.1.70:8080")
        .noneMatch(name -> name.equals("other") || name.contains("%"));
  }
}
