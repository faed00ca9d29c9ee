package org.terrace.collections.structures.causality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Member;
import org.terrace.testing.Seeds;

class VersionVectorTest {
  @Test
  void itIsASetOfDots() {
    RandomGenerator random = Seeds.generator(Seeds.next("version vector"));
    for (int trial = 0; trial < 500; trial++) {
      Set<Long> mine = new TreeSet<>();
      Set<Long> theirs = new TreeSet<>();
      VersionVector here = fill(random, mine);
      VersionVector there = fill(random, theirs);

      Set<Long> difference = new TreeSet<>();
      for (VersionVector.Span span : here.minus(there)) {
        for (long i = span.range().first(); i <= span.range().last(); i++) {
          assertThat(difference.add(i)).isTrue();
        }
      }
      Set<Long> expected = new TreeSet<>(mine);
      expected.removeAll(theirs);
      assertThat(difference).isEqualTo(expected);

      VersionVector union = roundTrip(here);
      union.addAll(there);
      for (long i = 1; i < 60; i++) {
        assertThat(here.contains(7, i)).isEqualTo(mine.contains(i));
        assertThat(union.contains(7, i)).isEqualTo(mine.contains(i) || theirs.contains(i));
      }
      assertThat(union.covers(here)).isTrue();
      assertThat(here.covers(there)).isEqualTo(mine.containsAll(theirs));
    }
  }

  @Test
  void withoutGapsItsSizeDoesNotGrow() {
    VersionVector vector = new VersionVector();
    for (int i = 1; i <= 100_000; i++) {
      vector.add(7, i);
    }
    Encoder out = new Encoder();
    vector.encode(out);

    assertThat(vector.floor(7)).isEqualTo(100_000);
    assertThat(out.length()).isLessThan(20);
  }

  @Test
  void whatIsRetiredCountsAsAppliedAndTakesNoPlace() {
    VersionVector here = new VersionVector();
    here.add(5, 1);
    here.add(5, 2);
    here.add(7, 1);
    VersionVector same = roundTrip(here);
    VersionVector more = roundTrip(here);
    more.add(5, 4);
    VersionVector fresh = new VersionVector();
    fresh.add(7, 9);
    here.retireBefore(6);

    assertThat(here.writers()).containsExactly(7L);
    assertThat(here.contains(5, 99)).isTrue();
    assertThat(here.floor(5)).isZero();
    assertThat(here.covers(more)).isTrue();
    assertThat(more.minus(here)).isEmpty();
    assertThat(same.covers(here)).isFalse();
    assertThat(here.agreesBefore(6, same)).isFalse();

    same.retireAsAgreed(here);
    assertThat(same.covers(here)).isTrue();
    more.retireAsAgreed(here);
    assertThat(more.writers()).containsExactly(5L, 7L);

    more.addAll(here);
    more.add(5, 6);
    fresh.addAll(more);
    assertThat(fresh.writers()).containsExactly(7L);
    assertThat(fresh.contains(5, 1)).isTrue();
    assertThat(roundTrip(fresh).roster().isRetired(5)).isTrue();
  }

  @Test
  void incarnationsBeforeTheFirstThatIsKnownAreNotRetired() {
    VersionVector remembers = new VersionVector();
    remembers.add(5, 1);
    remembers.retireBefore(6);
    remembers.add(9, 1);
    VersionVector newcomer = new VersionVector();
    newcomer.add(12, 1);
    newcomer.retireBefore(13);
    assertThat(newcomer.contains(12, 99)).isTrue();
    assertThat(newcomer.contains(9, 1)).isFalse();
    assertThat(newcomer.contains(5, 1)).isFalse();

    VersionVector union = roundTrip(remembers);
    union.addAll(newcomer);
    assertThat(union.writers()).containsExactly(9L);
    assertThat(union.covers(remembers)).isTrue();
    assertThat(union.covers(newcomer)).isTrue();
    assertThat(remembers.covers(newcomer)).isFalse();
    assertThat(newcomer.covers(remembers)).isFalse();
    VersionVector same = roundTrip(union);
    assertThat(same.agreesBefore(13, union)).isTrue();
    assertThat(same.agreesBefore(13, remembers)).isFalse();

    union.retireBefore(10);
    assertThat(union.writers()).isEmpty();
    assertThat(union.contains(8, 1)).isTrue();
    assertThat(union.contains(11, 1)).isFalse();
    same.retireAsAgreed(union);
    assertThat(same.contains(11, 1)).as("nobody has agreed on 11").isFalse();
    same.add(11, 1);
    same.retireBefore(14);
    for (long incarnation = 5; incarnation < 14; incarnation++) {
      assertThat(roundTrip(same).roster().isRetired(incarnation)).isTrue();
    }
    assertThat(same.roster().isRetired(4)).isFalse();
    assertThat(same.roster().isRetired(14)).isFalse();
  }

  @Test
  void aNameTakesAtMostThirtyBytes() {
    VersionVector vector = new VersionVector();
    int nothing = bytesOf(vector);
    long year2159 = 4_386_000_000_000_000_000L;
    vector.roster().enrol(Member.idAt("b", year2159));
    assertThat(bytesOf(vector) - nothing).isEqualTo(18);
    vector.add(Member.idAt("b", 0), 1);
    vector.retireBefore(Member.idAt("b", year2159));
    assertThat(bytesOf(vector) - nothing).isBetween(19, 30);
    VersionVector late = new VersionVector();
    late.add(Member.idAt("b", year2159 / 2), 1);
    late.retireBefore(Member.idAt("b", year2159));
    assertThat(bytesOf(late) - nothing).isBetween(19, 30);
  }

  @Test
  void vectorsWithWhateverRetiredJoinToTheSameInAnyOrder() {
    RandomGenerator random = Seeds.generator(Seeds.next("retired in any order"));
    for (int trial = 0; trial < 2_000; trial++) {
      VersionVector one = someIncarnations(random);
      VersionVector other = someIncarnations(random);
      VersionVector oneFirst = roundTrip(one);
      oneFirst.addAll(other);
      VersionVector otherFirst = roundTrip(other);
      otherFirst.addAll(one);

      assertThat(oneFirst.covers(otherFirst)).isTrue();
      assertThat(otherFirst.covers(oneFirst)).isTrue();
      for (long incarnation = 1; incarnation < 30; incarnation++) {
        assertThat(oneFirst.agreesBefore(incarnation, otherFirst)).isTrue();
        assertThat(oneFirst.contains(incarnation, 3))
            .as("incarnation %d of %s and %s", incarnation, one, other)
            .isEqualTo(one.contains(incarnation, 3) || other.contains(incarnation, 3));
      }
      assertThat(one.covers(oneFirst)).isEqualTo(one.covers(other));
    }
  }

  private static VersionVector someIncarnations(RandomGenerator random) {
    VersionVector vector = new VersionVector();
    long first = 1L + random.nextInt(25);
    for (long incarnation = first; incarnation < 28; incarnation += 1 + random.nextInt(6)) {
      vector.add(incarnation, 1 + random.nextInt(4));
      if (random.nextInt(3) == 0) {
        vector.retireBefore(incarnation);
      }
    }
    return vector;
  }

  @Test
  void bytesThatAreNoVectorAreRefused() {
    RandomGenerator random = Seeds.generator(Seeds.next("malformed vector"));
    for (int trial = 0; trial < 10_000; trial++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      try {
        VersionVector.decode(new Decoder(bytes));
      } catch (MalformedDataException e) {
        assertThat(e).hasMessageContaining(" ");
      }
    }
    assertThatThrownBy(() -> VersionVector.decode(new Decoder(new byte[] {1})))
        .isInstanceOf(MalformedDataException.class);
  }

  private static VersionVector fill(RandomGenerator random, Set<Long> model) {
    VersionVector vector = new VersionVector();
    for (int i = random.nextInt(60); i > 0; i--) {
      long sequence = random.nextInt(50) + 1L;
      model.add(sequence);
      vector.add(7, sequence);
    }
    return vector;
  }

  private static int bytesOf(VersionVector vector) {
    Encoder out = new Encoder();
    vector.encode(out);
    return out.length();
  }

  private static VersionVector roundTrip(VersionVector vector) {
    Encoder out = new Encoder();
    vector.encode(out);
    return VersionVector.decode(new Decoder(out.toBytes()));
  }
}
