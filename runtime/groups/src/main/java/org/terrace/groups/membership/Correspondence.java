package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;

/** One member's messages to others: their numbers, and the rumors that ride on them. Confined. */
final class Correspondence {
  private final Member self;
  private final Roster roster;
  private long number;

  Correspondence(Member self, Roster roster) {
    this.self = self;
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
    List<Rumor> riding = roster.rumors().next(to.id(), roster.view().members().size());
    MembershipMessage message =
        new MembershipMessage(kind, self, roster.refutation(), messageNumber, subject, riding);
    effects.add(new MembershipEffect.Send(to.address(), message));
  }

  /** Tells everything to an address where perhaps a member is, and asks for the same. */
  void greet(InetSocketAddress stranger, List<MembershipEffect> effects) {
    sendAll(MembershipMessage.Kind.SYNC, stranger, nextNumber(), effects);
  }

  void answerGreeting(MembershipMessage greeting, List<MembershipEffect> effects) {
    InetSocketAddress from = greeting.from().address();
    sendAll(MembershipMessage.Kind.SYNC_REPLY, from, greeting.sequence(), effects);
  }

  /** Tells an incarnation that a later one of its process is known. */
  void tellOutdated(MembershipMessage heard, Member later, List<MembershipEffect> effects) {
    List<Rumor> rumor = List.of(new Rumor(later, Rumor.State.ALIVE, 0, self.id()));
    effects.add(
        new MembershipEffect.Send(
            heard.from().address(),
            new MembershipMessage(
                MembershipMessage.Kind.SYNC_REPLY,
                self,
                roster.refutation(),
                heard.sequence(),
                null,
                rumor)));
  }

  private void sendAll(
      MembershipMessage.Kind kind,
      InetSocketAddress to,
      long messageNumber,
      List<MembershipEffect> effects) {
    MembershipMessage message =
        new MembershipMessage(
            kind, self, roster.refutation(), messageNumber, null, roster.everything());
    effects.add(new MembershipEffect.Send(to, message));
  }
}
