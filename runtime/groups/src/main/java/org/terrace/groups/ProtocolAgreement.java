package org.terrace.groups;

import java.util.HashMap;
import java.util.Map;

/**
 * The versions of the protocol in which one member speaks to the others of its view, each the
 * latest that both understand. Immutable.
 *
 * @param own the versions that this member understands
 * @param toAll the version of what it sends to all: the earliest of those in which it speaks to
 *     each, its own latest while it is alone
 * @param leastOfOthers the earliest of the latest versions that the others understand, its own
 *     latest while it is alone; later than {@code toAll} only where this member is the one that
 *     holds the others back
 * @param toEach the versions by the identities of the members
 */
public record ProtocolAgreement(
    ProtocolVersions own, int toAll, int leastOfOthers, Map<Long, Integer> toEach) {
  private static final ProtocolAgreement NONE =
      new ProtocolAgreement(
          ProtocolVersions.ofThisBuild(),
          Group.PROTOCOL_VERSION_LEAST,
          Group.PROTOCOL_VERSION_LEAST,
          Map.of());

  /** Copies the versions. */
  public ProtocolAgreement {
    toEach = Map.copyOf(toEach);
  }

  /** No agreement, of a group whose members do not tell what they understand. */
  public static ProtocolAgreement none() {
    return NONE;
  }

  /** The agreement of a member that understands the one with others that understand these. */
  public static ProtocolAgreement of(ProtocolVersions own, Map<Long, ProtocolVersions> others) {
    Map<Long, Integer> toEach = new HashMap<>();
    others.forEach((id, theirs) -> toEach.put(id, own.highestWith(theirs)));
    int toAll = toEach.values().stream().mapToInt(version -> version).min().orElse(own.most());
    int leastOfOthers =
        others.values().stream().mapToInt(ProtocolVersions::most).min().orElse(own.most());
    return new ProtocolAgreement(own, toAll, leastOfOthers, toEach);
  }

  /** The version of what is sent to that member: the earliest of all if nothing is known of it. */
  public int with(Member member) {
    return toEach.getOrDefault(member.id(), own.least());
  }
}
