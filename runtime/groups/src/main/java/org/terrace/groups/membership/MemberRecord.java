package org.terrace.groups.membership;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/** The knowledge of one other member. Confined to its {@link Roster}. */
final class MemberRecord {
  final Member member;
  final Set<Long> accusers = new TreeSet<>();
  Rumor.State state = Rumor.State.ALIVE;
  int refutation;
  long sinceNanos;

  /** The versions of the protocol that it understands, once it or another has told. */
  @Nullable ProtocolVersions understood;

  /** Whether there is evidence that its process has ended, and it has not been heard since. */
  boolean maybeEnded;

  /** The time at which a suspected member is next asked to defend itself. */
  long nextSummonsNanos;

  MemberRecord(Member member, int refutation, long nowNanos) {
    this.member = member;
    this.refutation = refutation;
    this.sinceNanos = nowNanos;
  }

  boolean isInView() {
    return state == Rumor.State.ALIVE || state == Rumor.State.SUSPECTED;
  }

  void become(Rumor.State newState, int newRefutation, long nowNanos) {
    state = newState;
    refutation = newRefutation;
    sinceNanos = nowNanos;
    accusers.clear();
  }

  Rumor asRumor(long self) {
    return new Rumor(
        member,
        state,
        refutation,
        accusers.isEmpty() ? self : accusers.iterator().next(),
        understood);
  }
}
