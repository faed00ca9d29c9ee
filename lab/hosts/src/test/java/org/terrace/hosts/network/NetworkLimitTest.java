package org.terrace.hosts.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.nodes.machine.LimitUse;
import org.terrace.nodes.setting.NetworkLimit;

/** The queue of a limit of the network, what its proof says of counts, and its use. */
class NetworkLimitTest {
  private static final String TABLE =
      """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop
          lo:     100       1    0    0    0     0          0         0      100       1    0    0
        eth0:  123456      10    0    0    0     0          0         0  7890123      20    0    0
      """;
  private static final NetworkLimit LIMIT = new NetworkLimit("10.0.2.1", "10.0.9.1", 1 << 20);
  private static final NetworkProof PROOF = NetworkProof.ofServer(LIMIT);

  /** A burst below the largest packet, of 65,549 bytes, would drop every such packet. */
  @Test
  void theLargestPacketPassesAtAnyLimit() {
    assertThat(new NetworkQueue(1 << 17).command("eth0"))
        .isEqualTo("tc qdisc replace dev eth0 root tbf rate 131072bps burst 81920 limit 524288");
    assertThat(new NetworkQueue(100_000_000).command("terrace1"))
        .isEqualTo(
            "tc qdisc replace dev terrace1 root tbf rate 100000000bps burst 2000000 limit"
                + " 25000000");
  }

  @Test
  void theKernelTellsOfEachDevice() {
    assertThat(DeviceTraffic.of("eth0", TABLE)).isEqualTo(new DeviceTraffic(123_456, 7_890_123));
    assertThatThrownBy(() -> DeviceTraffic.of("eth", TABLE))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("no network device eth");
  }

  @Test
  void whatTheLimitLetsPassHolds() {
    assertThat(PROOF.complaint(524_288 + 80_000, 0.5)).isEmpty();
    assertThat(PROOF.complaint(2 * 1_048_576, 2)).isEmpty();
  }

  @Test
  void whatPassesWithoutAQueueDoesNotHold() {
    assertThat(PROOF.complaint(1_048_576, 0.5))
        .hasValueSatisfying(why ->
            assertThat(why)
                .contains("1,048,576 bytes passed eth0 in 0.50 s")
                .contains("nothing holds them back"));
  }

  /** A device by which nothing goes would hold any limit. */
  @Test
  void whatHardlyPassesProvesNothing() {
    assertThat(PROOF.complaint(0, 0.5))
        .hasValueSatisfying(
            why -> assertThat(why).contains("they prove no limit of 1048576 bytes a second"));
  }

  /** Bits for bytes, and bytes for bits, where a burst is as much as passes in half a second. */
  @Test
  void aLowLimitThatIsAnotherOneDoesNotHold() {
    NetworkProof low = NetworkProof.ofServer(new NetworkLimit("10.0.2.1", "10.0.9.1", 131_072));
    double seconds = low.seconds();
    long burst = 81_920;
    assertThat(low.complaint(burst + (long) (131_072 * seconds), seconds)).isEmpty();
    assertThat(low.complaint(burst + (long) (131_072 * seconds / 8), seconds)).isPresent();
    assertThat(low.complaint(burst + (long) (131_072 * seconds * 2), seconds)).isPresent();
    assertThat(PROOF.seconds()).isEqualTo(0.5);
  }

  @Test
  void theUseIsOfTheBusierDirection() {
    Deque<DeviceTraffic> readings =
        new ArrayDeque<>(
            List.of(
                new DeviceTraffic(5_000, 9_000),
                new DeviceTraffic(5_500, 9_200),
                new DeviceTraffic(5_600, 10_200)));
    Deque<Long> nanos = new ArrayDeque<>(List.of(0L, 1_000_000_000L, 1_500_000_000L));
    LimitUse use = new LimitUse(2_000, () -> readings.removeFirst().passed(), clock(nanos));

    assertThat(use.next()).isEmpty();
    assertThat(use.next().orElseThrow()).isCloseTo(0.25, within(1e-9));
    assertThat(use.next().orElseThrow()).isCloseTo(1, within(1e-9));
  }

  private static TimeSource clock(Deque<Long> nanos) {
    return new TimeSource() {
      @Override
      public long epochNanos() {
        return 0;
      }

      @Override
      public long elapsedNanos() {
        return nanos.removeFirst();
      }
    };
  }
}
