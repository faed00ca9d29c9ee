package org.terrace.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
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
}
