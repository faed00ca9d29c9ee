package org.terrace.groups;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

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
 * @param expectedMembers how many processes the group is meant to have, this one included, if this
 *     member was told ({@link GroupOptions#withExpectedMembers})
 */
public record View(
    long version,
    Member self,
    List<Member> members,
    List<Member> lost,
    OptionalInt expectedMembers) {
  private static final Comparator<Member> BY_ID = Comparator.comparingLong(Member::id);

  /** Sorts and copies the members, and checks that self is one of them. */
  public View {
    members = members.stream().sorted(BY_ID).toList();
    lost = lost.stream().sorted(BY_ID).toList();
    if (!members.contains(self)) {
      throw new IllegalArgumentException("a view contains the member whose view it is: " + self);
    }
  }

  /** A view of a group whose size is not known. */
  public View(long version, Member self, List<Member> members, List<Member> lost) {
    this(version, self, members, lost, OptionalInt.empty());
  }

  /** The same view of a group that is meant to have that many processes, if that is known. */
  public View expecting(OptionalInt newExpectedMembers) {
    return new View(version, self, members, lost, newExpectedMembers);
  }

  /** Whether an incarnation of the process of that number is a live member. */
  public boolean containsReplica(long replica) {
    return members.stream().anyMatch(member -> Member.replicaOf(member.id()) == replica);
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
   * Whether fewer processes are alive, this one included, than are missing: this member is probably
   * cut off from the others, or most of them died. Missing are as many as the group is expected to
   * have beyond those alive, whoever was lost: the lost may have been replaced under other names.
   * Without an expected size, missing are those that were declared dead without having said
   * goodbye; a member that has never heard of the others, or lost them longer ago than it
   * remembers, does not know it.
   */
  public boolean isMinority() {
    return missing() > alive();
  }

  /** Whether no process is missing, by what {@link #isMinority} takes for missing. */
  public boolean isComplete() {
    return missing() <= 0;
  }

  private long missing() {
    return expectedMembers.isPresent()
        ? expectedMembers.getAsInt() - alive()
        : lost.stream().filter(this::isAway).map(Member::name).distinct().count();
  }

  /** Whether fewer processes are alive than the group is expected to have. */
  public boolean isBelowExpected() {
    return alive() < expectedMembers.orElse(0);
  }

  /**
   * The reason why fewer than so many live members can hold an update, if the group's size is
   * known; without it the others may only not have been heard of yet.
   *
   * @param holders how many members are to hold it, this one included
   * @param leaves whether a member is about to leave the group, and so holds nothing for it
   */
  public Optional<String> shortfall(int holders, Predicate<Member> leaves) {
    if (expectedMembers.isEmpty() || holders <= 1) {
      return Optional.empty();
    }
    List<Member> staying =
        members.stream().filter(one -> one.equals(self) || !leaves.test(one)).toList();
    return holders <= processes(staying)
        ? Optional.empty()
        : Optional.of(
            "%d members are to hold this update, and this member sees %d of the %d expected: %s"
                .formatted(holders, processes(staying), expectedMembers.getAsInt(), staying));
  }

  private long alive() {
    return processes(members);
  }

  private static long processes(List<Member> of) {
    return of.stream().map(Member::name).distinct().count();
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
