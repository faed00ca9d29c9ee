package org.terrace.collections.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class IndexedSequenceTest {
  private static List<Integer> elementsOf(IndexedSequence<Integer> sequence) {
    List<Integer> elements = new ArrayList<>();
    sequence.forEach(elements::add);
    return elements;
  }

  /** Weights that differ by a factor of three at most leave a tree no deeper than this. */
  private static double deepest(int size) {
    return 1 + Math.log(size + 1) / Math.log(4.0 / 3);
  }

  @Test
  void anyChangesGiveWhatAnArrayListHasAndLeaveTheFormerSequenceAsItWas() {
    RandomGenerator random = Seeds.generator(Seeds.next("sequence"));
    List<Integer> model = new ArrayList<>();
    IndexedSequence<Integer> sequence = IndexedSequence.of(List.of());
    for (int step = 0; step < 5_000; step++) {
      IndexedSequence<Integer> before = sequence;
      List<Integer> modelBefore = step % 100 == 0 ? List.copyOf(model) : List.of();
      boolean grows = model.isEmpty() || random.nextInt(step / 1_000 % 2 == 0 ? 4 : 2) > 0;
      int index = random.nextInt(model.size() + (grows ? 1 : 0));
      if (grows && random.nextInt(5) == 0 && index < model.size()) {
        model.set(index, step);
        sequence = sequence.with(index, step);
      } else if (grows) {
        model.add(index, step);
        sequence = sequence.withInserted(index, step);
      } else {
        model.subList(index, index + 1).clear();
        sequence = sequence.without(index);
      }
      assertThat(sequence.size()).isEqualTo(model.size());
      assertThat(sequence.depth()).isLessThanOrEqualTo((int) deepest(model.size()));
      if (step % 100 == 0) {
        assertThat(elementsOf(before)).isEqualTo(modelBefore);
        assertThat(elementsOf(sequence)).isEqualTo(model);
        IndexedSequence<Integer> sequenceNow = sequence;
        IntStream.range(0, model.size())
            .forEach(i -> assertThat(sequenceNow.get(i)).isEqualTo(model.get(i)));
      }
    }
  }

  @Test
  void additionsAtEitherEndKeepItShallow() {
    IndexedSequence<Integer> sequence = IndexedSequence.of(List.of());
    for (int i = 0; i < 10_000; i++) {
      sequence = sequence.withInserted(i % 3 == 0 ? 0 : sequence.size(), i);
    }

    assertThat(sequence.depth()).isLessThanOrEqualTo(24);
  }

  @Test
  void anElementIsFoundOrWhereItWouldBe() {
    IndexedSequence<Integer> tens =
        IndexedSequence.of(IntStream.range(0, 100).mapToObj(i -> 10 * i).toList());

    assertThat(tens.search(element -> Integer.compare(element, 370))).isEqualTo(37);
    assertThat(tens.search(element -> Integer.compare(element, 371))).isEqualTo(-39);
    assertThat(tens.search(element -> Integer.compare(element, -1))).isEqualTo(-1);
    assertThat(tens.search(element -> Integer.compare(element, 5_000))).isEqualTo(-101);
  }

  @Test
  void anIndexThatIsNotThereIsRefused() {
    IndexedSequence<Integer> two = IndexedSequence.of(List.of(1, 2));

    assertThatThrownBy(() -> two.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> two.without(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> two.withInserted(3, 3)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
