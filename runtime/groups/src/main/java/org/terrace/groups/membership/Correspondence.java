package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/**
 * One member's messages to others: their numbers, the rumors that ride on them, and the version of
 * the protocol in which each is written. Confined.
 *
 * <p>That version is the latest that both understand, and the earliest that this member knows while
 * it does not know what the other understands. Whoever does not understand it nevertheless, since
 * another process listens at that address by now, answers with one that it understands, and is
 * spoken to in that one until a message of its own tells more.
 */
final class Correspondence {
  private static final int CORRECTED_MAX = 64;

  private final Member self;
  private final ProtocolVersions own;
  private final Roster roster;
  private final Map<InetSocketAddress, Integer> corrected =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Integer> eldest) {
          return size() > CORRECTED_MAX;
        }
      };
  private long number;

  Correspondence(Member self, ProtocolVersions own, Roster roster) {
    this.self = self;
    this.own = own;
    this.roster = roster;
  }

  long nextNumber() {
    return ++number;
  }

  void ping(Member to, List<MembershipEffect> effects) {
    send(MembershipMessage.Kind.PING, to, nextNumber(), to, effects);
  }

  void send(
      MembershipMessage.Kind kind,
      Member to,
      long messageNumber,
      @Nullable Member subject,
      List<MembershipEffect> effects) {
    List<Rumor> riding =
        roster.rumors().next(to.id(), roster.view().members().size()).stream()
            .map(roster::withUnderstood)
            .toList();
    send(kind, to.address(), messageNumber, subject, riding, roster.understoodBy(to), effects);
  }

  /** Tells everything to an address where perhaps a member is, and asks for the same. */
  void greet(InetSocketAddress stranger, List<MembershipEffect> effects) {
    send(
        MembershipMessage.Kind.SYNC,
        stranger,
        nextNumber(),
        null,
        roster.everything(),
        null,
        effects);
  }

  void answerGreeting(MembershipMessage greeting, List<MembershipEffect> effects) {
    send(
        MembershipMessage.Kind.SYNC_REPLY,
        greeting.from().address(),
        greeting.sequence(),
        null,
        roster.everything(),
        greeting.understood(),
        effects);
  }

  /** Tells an incarnation that a later one of its process is known. */
  void tellOutdated(MembershipMessage heard, Member later, List<MembershipEffect> effects) {
    Rumor rumor = new Rumor(later, Rumor.State.ALIVE, 0, self.id());
    send(
        MembershipMessage.Kind.SYNC_REPLY,
        heard.from().address(),
        heard.sequence(),
        null,
        List.of(roster.withUnderstood(rumor)),
        heard.understood(),
        effects);
  }

  private void send(
      MembershipMessage.Kind kind,
      InetSocketAddress to,
      long messageNumber,
      @Nullable Member subject,
      List<Rumor> rumors,
      @Nullable ProtocolVersions understood,
      List<MembershipEffect> effects) {
    MembershipMessage message =
        new MembershipMessage(kind, self, own, roster.refutation(), messageNumber, subject, rumors);
    effects.add(new MembershipEffect.Send(to, message, version(to, understood)));
  }

  private int version(InetSocketAddress to, @Nullable ProtocolVersions understood) {
    Integer asTold = corrected.get(to);
    if (asTold != null) {
      return asTold;
    }
    return understood == null ? own.least() : own.highestWith(understood);
  }

  /** The member has said itself what it understands, so that no correction is needed there. */
  void heard(Member from) {
    corrected.remove(from.address());
  }

  /**
   * Takes note that somebody there understands that version, and not the one it was spoken to in.
   */
  void correct(InetSocketAddress there, int version, List<MembershipEffect> effects) {
    if (!Integer.valueOf(version).equals(corrected.put(there, version))) {
      greet(there, effects);
    }
  }
}
