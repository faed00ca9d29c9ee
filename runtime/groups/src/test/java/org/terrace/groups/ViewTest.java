package org.terrace.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Views in which more members are lost than seen, and those that only look like it. */
class ViewTest {
  private static Member member(String name, long incarnation) {
    long id = Member.idAt(name, 1_700_000_000_000_000_000L + incarnation * 1_000_000_000L);
    return new Member(name, id, InetSocketAddress.createUnresolved(name, 1));
  }

  private static final Member A = member("a", 1);
  private static final Member B = member("b", 1);
  private static final Member C = member("c", 1);

  private static boolean isMinority(List<Member> members, List<Member> lost) {
    return new View(1, A, members, lost).isMinority();
  }

  @Test
  void oneOfThreeIsAMinorityAndOneOfTwoIsNot() {
    assertThat(isMinority(List.of(A), List.of(B, C))).isTrue();
    assertThat(isMinority(List.of(A), List.of(B))).isFalse();
    assertThat(isMinority(List.of(A, B), List.of(C))).isFalse();
    assertThat(isMinority(List.of(A), List.of())).isFalse();
  }

  @Test
  void incarnationsOfOneProcessCountOnce() {
    assertThat(isMinority(List.of(A), List.of(B, member("b", 2), member("b", 3)))).isFalse();
  }

  @Test
  void aProcessThatIsBackIsNotLost() {
    assertThat(isMinority(List.of(A, member("b", 2)), List.of(B, C, member("d", 1)))).isFalse();
  }

  private static View of(int expected, Member... members) {
    return new View(1, A, List.of(members), List.of(), OptionalInt.of(expected));
  }

  @Test
  void aMemberThatHasNeverHeardOfTheOthersKnowsByTheExpectedSizeThatTheyAreMissing() {
    assertThat(of(3, A).isMinority()).isTrue();
    assertThat(of(3, A).isBelowExpected()).isTrue();
    assertThat(of(3, A, B).isMinority()).isFalse();
    assertThat(of(3, A, B).isBelowExpected()).isTrue();
    assertThat(of(3, A, B, C).isBelowExpected()).isFalse();
    assertThat(of(2, A, B, C).isBelowExpected()).isFalse();
    assertThat(new View(1, A, List.of(A), List.of()).isBelowExpected()).isFalse();
  }

  @Test
  void theSizeThatWasToldKnowsBetterThanNamesThatWereLost() {
    List<Member> lost = List.of(member("d", 1), member("e", 1), member("f", 1), member("g", 1));
    View all = new View(1, A, List.of(A, B, C), lost, OptionalInt.of(3));
    assertThat(all.isMinority()).as("those that were replaced are not missing").isFalse();
    assertThat(new View(1, A, List.of(A), List.of(B), OptionalInt.of(3)).isMinority()).isTrue();
    assertThat(new View(1, A, List.of(A, B), List.of(C), OptionalInt.of(5)).isMinority()).isTrue();
    assertThat(new View(1, A, List.of(A), List.of(B, C), OptionalInt.of(1)).isMinority()).isFalse();
  }

  @Test
  void aViewIsCompleteIfNobodyIsMissing() {
    assertThat(of(3, A, B).isComplete()).isFalse();
    assertThat(of(3, A, B, C).isComplete()).isTrue();
    assertThat(of(2, A, B, C).isComplete()).isTrue();
    assertThat(new View(1, A, List.of(A, B), List.of(C), OptionalInt.of(2)).isComplete())
        .as("the one that was lost was replaced")
        .isTrue();
    assertThat(new View(1, A, List.of(A, B), List.of(C)).isComplete()).isFalse();
    assertThat(new View(1, A, List.of(A, member("b", 2)), List.of(B)).isComplete()).isTrue();
    assertThat(new View(1, A, List.of(A), List.of()).isComplete()).isTrue();
  }

  @Test
  void whoeverIsLeavingHoldsNothing() {
    assertThat(of(2, A, B).shortfall(2, B::equals))
        .hasValueSatisfying(reason -> assertThat(reason).contains("sees 1 of the 2", "[a"));
    assertThat(of(2, A, B).shortfall(1, B::equals)).isEmpty();
    assertThat(of(2, A, B, C).shortfall(2, B::equals)).isEmpty();
  }

  @Test
  void twoIncarnationsOfOneProcessAreOneOfThoseExpected() {
    assertThat(of(3, A, B, member("b", 2)).isBelowExpected()).isTrue();
    assertThat(of(3, A, B, member("b", 2)).shortfall(3, nobody -> false)).isPresent();
  }

  @Test
  void whatMoreAreToHoldThanAreThereFallsShortOnceTheSizeIsKnown() {
    assertThat(of(3, A, B).shortfall(3, nobody -> false))
        .hasValueSatisfying(reason -> assertThat(reason).contains("3 members", "2 of the 3", "b"));
    assertThat(of(3, A, B).shortfall(2, nobody -> false)).isEmpty();
    assertThat(of(2, A, B).shortfall(3, nobody -> false))
        .as("more than there are to be")
        .isPresent();
    assertThat(new View(1, A, List.of(A), List.of()).shortfall(3, nobody -> false)).isEmpty();
  }
}
