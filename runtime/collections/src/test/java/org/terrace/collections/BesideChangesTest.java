package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;

/**
 * Calls on a collection while it changes, as it does whenever others write: none of them fails for
 * that, and none changes anything else than it says. A second thread stands for the others.
 */
class BesideChangesTest {
  private static final int CALLS = 2_000;
  private static final int INSERTED_MAX = 200;
  private static final String OTHERS = "x";
  private static final SetOptions<String> LOCAL =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);

  private final ReplicatedCollections replica = new Replicas(1).get(0);

  /** Makes the call many times while another thread makes the changes over and over. */
  private static void beside(Runnable change, Runnable call) {
    AtomicBoolean isOver = new AtomicBoolean();
    Thread others =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              while (!isOver.get()) {
                change.run();
              }
            });
    try {
      for (int i = 0; i < CALLS; i++) {
        call.run();
      }
    } finally {
      isOver.set(true);
    }
    join(others);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void addAndRemove(Collection<String> all) {
    for (int i = 0; i < 4; i++) {
      all.add(OTHERS + i);
    }
    all.removeIf(element -> element.startsWith(OTHERS));
  }

  private ReplicatedList<String> listOfThree() {
    ReplicatedList<String> list = replica.list("list", LOCAL);
    list.addAll(List.of("a", "b", "c"));
    return list;
  }

  private static List<String> mine(List<String> list) {
    return list.stream().filter(element -> !element.startsWith(OTHERS)).toList();
  }

  @Test
  void whatIsAppendedBesideRemovalsIsThereInOrder() {
    ReplicatedList<String> list = replica.list("list", LOCAL);
    int[] added = new int[1];
    beside(
        () -> addAndRemove(list),
        () -> {
          assertThat(list.add("e" + added[0]++)).isTrue();
          if (added[0] % 10 == 0) {
            list.removeIf(element -> element.startsWith("e") && !element.endsWith("9"));
          }
        });

    assertThat(mine(list))
        .isEqualTo(IntStream.range(0, CALLS / 10).mapToObj(i -> "e" + (10 * i + 9)).toList());
  }

  @Test
  void whatIsInsertedAsARunStaysOneRun() {
    ReplicatedList<String> list = listOfThree();
    beside(
        () -> {
          list.add(0, OTHERS);
          list.remove(OTHERS);
        },
        () -> {
          list.addAll(1, List.of("r1", "r2", "r3"));
          List<String> shown = List.copyOf(list);
          int first = shown.indexOf("r1");
          assertThat(shown.subList(first, first + 3)).containsExactly("r1", "r2", "r3");
          list.removeIf(element -> element.startsWith("r"));
        });

    assertThat(mine(list)).containsExactly("a", "b", "c");
  }

  @Test
  void theEndsOfAListAreFoundAndTakenWhateverElseIsRemoved() {
    ReplicatedList<String> list = listOfThree();
    beside(
        () -> addAndRemove(list),
        () -> {
          assertThat(list.getFirst()).isEqualTo("a");
          assertThat(list.getLast()).isNotNull();
          assertThat(list.lastIndexOf("a")).isZero();
        });
    ReplicatedList<String> emptied = replica.list("emptied", LOCAL);
    int[] taken = new int[2];
    beside(
        () -> taken[0] += taken(emptied::removeFirst),
        () -> {
          emptied.add("e");
          emptied.add("f");
          taken[1] += taken(emptied::removeLast);
        });

    assertThat(taken[0] + taken[1] + emptied.size()).as("taken once each").isEqualTo(2 * CALLS);
  }

  /** One if something was taken, none if there was nothing. */
  private static int taken(Runnable take) {
    try {
      take.run();
      return 1;
    } catch (NoSuchElementException e) {
      return 0;
    }
  }

  @Test
  void aListIsClearedAndSortedAsItIsAtOneMoment() {
    ReplicatedList<String> list = listOfThree();
    int[] inserted = new int[1];
    beside(
        () -> {
          if (inserted[0] < INSERTED_MAX) {
            list.add(0, "i" + inserted[0]++);
          }
        },
        () -> {
          if (inserted[0] < INSERTED_MAX) {
            list.sort(Comparator.reverseOrder());
            list.sort(null);
          }
        });
    assertThat(list).hasSize(inserted[0] + 3).doesNotHaveDuplicates().contains("a", "b", "c");

    beside(() -> addAndRemove(list), list::clear);
    list.clear();
    assertThat(list).isEmpty();
  }

  @Test
  void streamsShowWhatIsThere() {
    var map =
        replica.map(
            "map", MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL));
    ReplicatedSet<String> set = replica.set("set", LOCAL);
    ReplicatedQueue<String> queue = replica.queue("queue", LOCAL);
    ReplicatedList<String> list = listOfThree();
    map.put("a", "a");
    set.add("a");
    queue.add("a");
    List<Collection<String>> all = List.of(map.keySet(), map.values(), set, queue, list);
    beside(
        () -> {
          for (Collection<String> one : List.of(set, queue, list)) {
            addAndRemove(one);
          }
          for (int i = 0; i < 4; i++) {
            map.put(OTHERS + i, OTHERS);
          }
          map.keySet().removeIf(key -> key.startsWith(OTHERS));
        },
        () -> {
          for (Collection<String> one : all) {
            assertThat(one.stream().toList()).contains("a");
          }
          assertThat(map.entrySet().stream().toList()).isNotEmpty();
        });
  }
}
