package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.Seeds;

/** Access to a list by index while it changes. */
class ListAccessTest {
  private static final SetOptions<String> LOCAL =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final long ROUND_BYTES_MAX = 64 << 10;

  @Test
  void anAccessByIndexAfterAChangeCostsTheSameHoweverLongTheListIs() {
    ReplicatedList<String> list = new Replicas(1).get(0).list("list", LOCAL);
    int length = 50_000;
    for (int i = 0; i < length; i++) {
      list.add("e" + i % 10);
    }
    assertThat(list.size()).isEqualTo(length);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    long before = threads.getCurrentThreadAllocatedBytes();
    int rounds = 200;
    for (int i = 0; i < rounds; i++) {
      list.add("last");
      list.set(i, list.get(length / 2));
      list.removeFirst();
      list.add(length / 3, "inserted");
      list.remove(length / 4);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(list.size()).isEqualTo(length);
    assertThat(bytes / rounds).as("bytes a round").isLessThan(ROUND_BYTES_MAX);
  }

  /** The third replica is asked at the end alone, so that it reads all anew. */
  @Test
  void anyChangesOfTwoReplicasAreFollowedAsAThirdReadsThemAtTheEnd() {
    RandomGenerator random = Seeds.generator(Seeds.next("access"));
    for (int history = 0; history < 20; history++) {
      Replicas replicas = new Replicas(3);
      List<ReplicatedList<String>> lists =
          replicas.all.stream().map(replica -> replica.list("list", LOCAL)).toList();
      for (int step = 0; step < 300; step++) {
        change(lists.get(random.nextInt(2)), step, random);
        if (random.nextInt(3) == 0) {
          replicas.simulation.runFor(random.nextLong(20 * MILLI));
        }
      }
      replicas.converge();

      List<String> anew = List.copyOf(lists.get(2));
      assertThat(byIndex(lists.get(0))).isEqualTo(anew);
      assertThat(byIndex(lists.get(1))).isEqualTo(anew);
    }
  }

  private static void change(ReplicatedList<String> list, int step, RandomGenerator random) {
    int size = list.size();
    switch (random.nextInt(4)) {
      case 0 -> list.add("a" + step);
      case 1 -> list.add(Math.min(1, size), "i" + step); // narrows one gap, which renumbers
      case 2 -> list.add(random.nextInt(size + 1), "r" + step);
      default -> {
        if (size > 50) {
          list.remove(random.nextInt(size));
        } else if (size > 0) {
          list.set(random.nextInt(size), "s" + step);
        }
      }
    }
  }

  private static List<String> byIndex(List<String> list) {
    return IntStream.range(0, list.size()).mapToObj(list::get).toList();
  }
}
