package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DisplayFilterTest {
  @Test
  void framesAndTimesAreRanges() {
    assertThat(DisplayFilter.frames(12, 40)).isEqualTo("frame.number >= 12 && frame.number <= 40");
    assertThat(DisplayFilter.frames(12, 12)).isEqualTo("frame.number == 12");
    assertThat(DisplayFilter.times(1_795_000_000_000_000_007L, 1_795_000_001_250_000_000L))
        .isEqualTo(
            "frame.time_epoch >= 1795000000.000000007 && frame.time_epoch <= 1795000001.250000000");
  }

  @Test
  void addressesOfEitherVersionAreNamedAndNothingElseIs() {
    assertThat(DisplayFilter.addresses(List.of("127.0.4.1:5432")))
        .contains("ip.addr == 127.0.4.1 && tcp.port == 5432");
    assertThat(DisplayFilter.addresses(List.of("[fe80::1]:80")))
        .contains("ipv6.addr == fe80::1 && tcp.port == 80");
    assertThat(DisplayFilter.addresses(List.of("10.0.0.1:80", "10.0.0.1:81")))
        .contains(
            "((ip.addr == 10.0.0.1 && tcp.port == 80) || (ip.addr == 10.0.0.1 && tcp.port == 81))");
    assertThat(DisplayFilter.addresses(List.of("shop || frame:80", "10.0.0.1:http", "x", "")))
        .isEmpty();
  }

  @Test
  void addressesOfANetworkAreThoseOfItsPackets() {
    assertThat(DisplayFilter.addresses(List.of("10.0.0.1%vxlan42:80")))
        .contains("vxlan.vni == 42 && ip.addr == 10.0.0.1 && tcp.port == 80");
    assertThat(DisplayFilter.addresses(List.of("[fe80::1%geneve7]:80")))
        .contains("geneve.vni == 7 && ipv6.addr == fe80::1 && tcp.port == 80");
    assertThat(DisplayFilter.addresses(List.of("10.0.0.1%gre4294967295:80")))
        .contains("gre.key == 4294967295 && ip.addr == 10.0.0.1 && tcp.port == 80");
    assertThat(DisplayFilter.addresses(List.of("10.0.0.1%nvgre5000:80", "10.0.0.1%x || y:80")))
        .contains("ip.addr == 10.0.0.1 && tcp.port == 80");
  }

  @Test
  void connectionsAreToldByTheirClientsPorts() {
    assertThat(DisplayFilter.connections(List.of(connection("10.0.0.1:40002"))))
        .contains("tcp.port == 40002");
    assertThat(
            DisplayFilter.connections(
                List.of(connection("10.0.0.1:40002"), connection("[::1]:40001"))))
        .contains("tcp.port in {40001, 40002}");
    assertThat(DisplayFilter.connections(List.of(connection("a service")))).isEmpty();
  }

  private static ObservedConnection connection(String client) {
    return new ObservedConnection(
        1,
        "web",
        client,
        "10.0.0.2:80",
        "HTTP/1.1",
        "test",
        ObservedConnection.UNKNOWN,
        1,
        2,
        0,
        1,
        ObservedConnection.Beginning.OPENED,
        ObservedConnection.Ending.OPEN,
        0,
        0,
        1);
  }
}
