package org.terrace.wire.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.testing.Seeds;

/** Chains of hosts, each of which talks with the next one, and all clocks off. */
class PointTreeTest {
  private static final long MILLI = 1_000_000;
  private static final int PACKETS = 60;

  /** A packet as a host saw it. */
  private record Sight(SeenPacket packet, long trueNanos) {}

  private final List<List<Sight>> seen = new ArrayList<>();
  private final List<Long> offsets = new ArrayList<>();
  private final List<PointScan> scans = new ArrayList<>();

  private PointTree tree(int hosts, RandomGenerator random, boolean linked) {
    for (int host = 0; host < hosts; host++) {
      seen.add(new ArrayList<>());
      offsets.add(host == 0 ? 0 : random.nextLong(-1_000 * MILLI, 1_000 * MILLI));
    }
    for (int host = linked ? 0 : 1; host + 1 < hosts; host++) {
      talk(host, random);
    }
    List<String> names = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      PointScan scan = new PointScan(hosts);
      List<Sight> sights = seen.get(host);
      sights.sort(Comparator.comparingLong(Sight::trueNanos));
      for (int i = 0; i < sights.size(); i++) {
        sights.get(i).packet().seenBy(scan, i + 1L, sights.get(i).trueNanos() + offsets.get(host));
      }
      scans.add(scan);
      names.add("host" + host);
    }
    return new PointTree(names, scans);
  }

  /** The next host is called and answers, over ways of which either may be the longer. */
  private void talk(int host, RandomGenerator random) {
    long out = random.nextLong(1, MILLI);
    long back = random.nextLong(1, MILLI);
    long at = TwoPoints.START;
    for (int i = 0; i < PACKETS; i++) {
      boolean outward = i % 2 == 0;
      int from = outward ? host : host + 1;
      int to = outward ? host + 1 : host;
      SeenPacket packet =
          new SeenPacket(
              TwoPoints.NEAR + from,
              TwoPoints.NEAR + to,
              outward ? 40_000 << 16 | 80 : 80 << 16 | 40_000,
              i * 10,
              i,
              0x10,
              10,
              i);
      seen.get(from).add(new Sight(packet, at));
      at += outward ? out : back;
      seen.get(to).add(new Sight(packet, at));
      at += MILLI;
    }
  }

  @Test
  void errorsAddUpOnTheWayAndHold() {
    for (long seed : Seeds.histories("chains of hosts", 300)) {
      seen.clear();
      offsets.clear();
      scans.clear();
      RandomGenerator random = Seeds.generator(seed);
      int hosts = random.nextInt(2, 6);
      PointTree tree = tree(hosts, random, true);
      for (int host = 1; host < hosts; host++) {
        assertThat(tree.parentName(host)).isEqualTo("host" + (host - 1));
        List<Sight> sights = seen.get(host);
        for (int i = 0; i < sights.size(); i++) {
          long right = sights.get(i).trueNanos();
          long converted = tree.clock(host).timeNanos(i + 1L, right + offsets.get(host));
          assertThat((double) Math.abs(converted - right))
              .isLessThanOrEqualTo(tree.errorNanos(host) + host);
        }
      }
    }
  }

  @Test
  void aPointWithoutAWayToTheReferenceIsRefusedByName() {
    RandomGenerator random = Seeds.generator(Seeds.next("no way"));
    assertThatThrownBy(() -> tree(3, random, false))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("host1", "host0", "share no packet");
  }
}
