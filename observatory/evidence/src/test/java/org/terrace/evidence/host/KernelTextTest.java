package org.terrace.evidence.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class KernelTextTest {
  private static final String PRESSURE =
      """
      some avg10=28.99 avg60=11.64 avg300=4.67 total=6591648216
      full avg10=0.00 avg60=0.00 avg300=0.00 total=17
      """;
  private static final String STAT =
      """
      cpu  1269148 233893 192936 859411 7059 0 22222 791 0 0
      cpu0 1 2 3 4 5 6 7 800 0 0
      cpu1 1 2 3 4 5 6 7 80 0 0
      intr 5 6 7
      """;
  private static final String NETSTAT =
      """
      TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPReqQFullDrop
      TcpExt: 1 22 333 4444
      IpExt: InNoRoutes
      IpExt: 9
      """;
  private static final String GROUP =
      """
      nr_periods 10
      nr_throttled 4
      throttled_usec 123456
      """;

  @Test
  void numbersAreFoundByTheirNames() {
    assertThat(KernelText.of(PRESSURE).pressureMicros(name("some"))).isEqualTo(6_591_648_216L);
    assertThat(KernelText.of(PRESSURE).pressureMicros(name("full"))).isEqualTo(17);
    assertThat(KernelText.of(STAT).column(name("cpu"), 7)).isEqualTo(791);
    assertThat(KernelText.of(STAT).sumOfColumns(name("cpu"), 7)).isEqualTo(880);
    assertThat(KernelText.of(NETSTAT).below(name("TcpExt:"), name("ListenOverflows")))
        .isEqualTo(22);
    assertThat(KernelText.of(NETSTAT).below(name("TcpExt:"), name("TCPReqQFullDrop")))
        .isEqualTo(4444);
    assertThat(KernelText.of(NETSTAT).below(name("IpExt:"), name("InNoRoutes"))).isEqualTo(9);
    assertThat(KernelText.of("nr_dirty 561\nnr_dirty_threshold 7\n").field(name("nr_dirty")))
        .isEqualTo(561);
    assertThat(GroupThrottling.withheld(KernelText.of(GROUP))).isEqualTo(123_456_000L);
    assertThat(GroupThrottling.withheld(KernelText.of("throttled_time 77\n"))).isEqualTo(77);
  }

  @Test
  void whatIsNotThereIsNone() {
    assertThat(KernelText.of(PRESSURE).pressureMicros(name("so"))).isEqualTo(KernelText.NONE);
    assertThat(KernelText.of(STAT).field(name("nr_dirty"))).isEqualTo(KernelText.NONE);
    assertThat(KernelText.of(NETSTAT).below(name("TcpExt:"), name("Listen")))
        .isEqualTo(KernelText.NONE);
    assertThat(KernelText.of("cpu 1 2").column(name("cpu"), 7)).isEqualTo(KernelText.NONE);
    assertThat(KernelText.of("a 99999999999999999999").field(name("a"))).isEqualTo(KernelText.NONE);
  }

  /** Whatever a kernel may say, and wherever it is cut: a number of at most 18 digits, or none. */
  @Test
  void cutAndDamagedTextsGiveNumbersOrNone() {
    RandomGenerator random = Seeds.generator(Seeds.next("KernelTextTest.damaged"));
    for (String text : List.of(PRESSURE, STAT, NETSTAT, GROUP)) {
      byte[] whole = text.getBytes(StandardCharsets.US_ASCII);
      for (int length = 0; length <= whole.length; length++) {
        check(new KernelText(whole, length));
        check(new KernelText(Arrays.copyOf(whole, length), length));
      }
      for (int round = 0; round < 5_000; round++) {
        byte[] damaged = whole.clone();
        for (int change = random.nextInt(6); change >= 0; change--) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        check(new KernelText(damaged, damaged.length));
      }
    }
  }

  private static void check(KernelText text) {
    long[] numbers = {
      text.number(),
      text.pressureMicros(name("some")),
      text.column(name("cpu"), 7),
      text.sumOfColumns(name("cpu"), 7),
      text.below(name("TcpExt:"), name("ListenOverflows")),
      GroupThrottling.withheld(text)
    };
    for (long number : numbers) {
      assertThat(number).isGreaterThanOrEqualTo(-1_000);
    }
  }

  private static byte[] name(String name) {
    return KernelText.name(name);
  }
}
