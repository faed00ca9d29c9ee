package org.terrace.groups;

import java.util.Comparator;
import java.util.List;

/**
 * The membership of the group as one member sees it: itself, all that are alive or only suspected,
 * and apart from them those that were declared dead without having said goodbye.
 *
 * <p>Views of different members may differ for a while; nothing built on groups may need them to be
 * equal. Immutable.
 *
 * @param version counts the views of this member, from 1
 * @param self the member whose view this is
 * @param members all live members, self included, by identity
 * @param lost members that were declared dead and may come back, by identity; forgotten after a
 *     while
 */
public record View(long version, Member self, List<Member> members, List<Member> lost) {
  private static final Comparator<Member> BY_ID = Comparator.comparingLong(Member::id);

  /** Sorts and copies the members, and checks that self is one of them. */
  public View {
    members = members.stream().sorted(BY_ID).toList();
    lost = lost.stream().sorted(BY_ID).toList();
    if (!members.contains(self)) {
      throw new IllegalArgumentException("a view contains the member whose view it is: " + self);
    }
  }

  /** Whether the identity is that of a live member. */
  public boolean contains(long id) {
    for (Member member : members) {
      if (member.id() == id) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether fewer processes are alive, this one included, than were declared dead without having
   * said goodbye: this member is probably cut off from the others, or most of them died. A member
   * that has never heard of the others, or lost them longer ago than it remembers, does not know
   * it.
   */
  public boolean isMinority() {
    return lost.stream().filter(this::isAway).map(Member::name).distinct().count() > members.size();
  }

  /** Whether no later incarnation of that member's process is alive. */
  private boolean isAway(Member gone) {
    return members.stream().noneMatch(gone::isSameProcessAs);
  }

  /** The live members other than self. */
  public List<Member> others() {
    return members.stream().filter(member -> member.id() != self.id()).toList();
  }
}
