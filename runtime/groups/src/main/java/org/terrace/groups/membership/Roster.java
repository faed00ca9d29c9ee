package org.terrace.groups.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.View;

/**
 * Everybody a member knows, and how what it hears changes that. Confined to its {@link Membership}.
 */
final class Roster {
  /** Largest group: what is known of all must fit one message. */
  static final int MEMBERS_MAX = 64;

  /** Members remembered, those in the view and those that are gone; the longest gone go first. */
  private static final int REMEMBERED_MAX = 2 * MEMBERS_MAX - 2;

  private final Member self;
  private final MembershipOptions options;
  private final ProtocolVersions own;
  private final Rumors rumors = new Rumors();
  private final Map<Long, MemberRecord> records = new TreeMap<>();
  private int refutation;
  private long viewVersion = 1;
  private View view;
  private ProtocolAgreement agreement;
  private boolean agreementMayHaveChanged;
  private boolean changed;
  private boolean accused;
  private boolean leaving;
  private @Nullable Member laterSelf;
  private boolean outdated;

  Roster(Member self, MembershipOptions options, ProtocolVersions own) {
    this.self = self;
    this.options = options;
    this.own = own;
    this.agreement = ProtocolAgreement.of(own, Map.of());
    this.view = new View(viewVersion, self, List.of(self), List.of());
  }

  View view() {
    return view;
  }

  int refutation() {
    return refutation;
  }

  Rumors rumors() {
    return rumors;
  }

  Collection<MemberRecord> records() {
    return records.values();
  }

  @Nullable MemberRecord record(long id) {
    return records.get(id);
  }

  /** Whether somebody has accused this member since the last call. */
  boolean takeAccused() {
    boolean was = accused;
    accused = false;
    return was;
  }

  /** The later incarnation of this very process that was heard of first; given once. */
  @Nullable Member takeLaterSelf() {
    Member later = laterSelf;
    laterSelf = null;
    return later;
  }

  /** A later incarnation of the member's process, if one is known. */
  @Nullable Member laterThan(Member member) {
    if (member.isSameProcessAs(self)) {
      return self.id() > member.id() ? self : null;
    }
    for (MemberRecord known : records.values()) {
      if (known.member.isSameProcessAs(member) && known.member.id() > member.id()) {
        return known.member;
      }
    }
    return null;
  }

  /** The new view, if it has changed since the last call. */
  @Nullable View takeChangedView() {
    if (!changed) {
      return null;
    }
    changed = false;
    agreementMayHaveChanged = true;
    List<Member> live = new ArrayList<>(List.of(self));
    List<Member> lost = new ArrayList<>();
    for (MemberRecord known : records.values()) {
      if (known.isInView()) {
        live.add(known.member);
      } else if (known.state == Rumor.State.DEAD) {
        lost.add(known.member);
      }
    }
    view = new View(++viewVersion, self, live, lost);
    return view;
  }

  /**
   * The new agreement, if it has changed since the last call; to be called after the view was
   * taken. Of whom nothing is known, the earliest version alone is taken to be understood.
   */
  @Nullable ProtocolAgreement takeChangedAgreement() {
    if (!agreementMayHaveChanged) {
      return null;
    }
    agreementMayHaveChanged = false;
    Map<Long, ProtocolVersions> others = new HashMap<>();
    ProtocolVersions least = own.upTo(own.least());
    for (MemberRecord known : records.values()) {
      if (known.isInView()) {
        others.put(known.member.id(), known.understood == null ? least : known.understood);
      }
    }
    ProtocolAgreement latest = ProtocolAgreement.of(own, others);
    if (latest.equals(agreement)) {
      return null;
    }
    agreement = latest;
    return latest;
  }

  /** The versions of the protocol that the member understands, if that is known. */
  @Nullable ProtocolVersions understoodBy(Member member) {
    MemberRecord known = records.get(member.id());
    return known == null ? null : known.understood;
  }

  /** The same rumor, with what is known here of the versions that its subject understands. */
  Rumor withUnderstood(Rumor rumor) {
    if (rumor.subject().id() == self.id()) {
      return rumor.withUnderstood(own);
    }
    ProtocolVersions understood = understoodBy(rumor.subject());
    return understood == null ? rumor : rumor.withUnderstood(understood);
  }

  void leave() {
    leaving = true;
    rumors.add(new Rumor(self, Rumor.State.LEFT, refutation, self.id()));
  }

  /** Everything this member knows, itself included. */
  List<Rumor> everything() {
    List<Rumor> all = new ArrayList<>();
    Rumor.State state = leaving ? Rumor.State.LEFT : Rumor.State.ALIVE;
    all.add(new Rumor(self, state, refutation, self.id(), own));
    for (MemberRecord known : records.values()) {
      if (known.state != Rumor.State.LEFT) {
        all.add(known.asRumor(self.id()));
      }
    }
    return all;
  }

  void hear(Rumor rumor, long nowNanos) {
    if (rumor.subject().isSameProcessAs(self)) {
      hearOfSelf(rumor);
      return;
    }
    MemberRecord known = records.get(rumor.subject().id());
    if (known == null) {
      if (rumor.state() == Rumor.State.ALIVE || rumor.state() == Rumor.State.SUSPECTED) {
        meet(rumor, nowNanos);
      }
      return;
    }
    learn(known, rumor);
    boolean overrides =
        switch (rumor.state()) {
          case ALIVE -> rumor.refutation() > known.refutation;
          case SUSPECTED, DEAD -> rumor.refutation() >= known.refutation;
          case LEFT -> true;
        };
    if (!overrides || known.state == Rumor.State.LEFT) {
      return;
    }
    switch (rumor.state()) {
      case ALIVE -> become(known, rumor, nowNanos);
      case SUSPECTED -> suspect(known, rumor, nowNanos);
      case DEAD, LEFT -> {
        if (known.state != rumor.state()) {
          become(known, rumor, nowNanos);
        }
      }
    }
  }

  /** Takes over what the rumor says of the versions that the member understands, if that is new. */
  private void learn(MemberRecord known, Rumor rumor) {
    ProtocolVersions understood = rumor.understood();
    if (known.understood == null && understood != null) {
      learn(known, understood);
    }
  }

  /** Takes over what the member says of itself, whatever others have said. */
  void heardFrom(Member member, ProtocolVersions understood) {
    MemberRecord known = records.get(member.id());
    if (known != null && !understood.equals(known.understood)) {
      learn(known, understood);
    }
  }

  private void learn(MemberRecord known, ProtocolVersions understood) {
    known.understood = understood;
    agreementMayHaveChanged = true;
    rumors.add(known.asRumor(self.id()));
  }

  private void meet(Rumor rumor, long nowNanos) {
    Member member = rumor.subject();
    ProtocolVersions understood = rumor.understood();
    if (laterThan(member) != null || (understood != null && !own.meets(understood))) {
      return;
    }
    // Of each process the latest incarnation alone is remembered, however often it restarts.
    changed |= records.values().removeIf(other -> other.member.isSameProcessAs(member));
    if (records.values().stream().filter(MemberRecord::isInView).count() + 1 >= MEMBERS_MAX) {
      return;
    }
    while (records.size() >= REMEMBERED_MAX) {
      forgetLongestGone();
    }
    MemberRecord fresh = new MemberRecord(member, rumor.refutation(), nowNanos);
    fresh.understood = understood;
    records.put(member.id(), fresh);
    rumors.add(new Rumor(member, Rumor.State.ALIVE, rumor.refutation(), self.id()));
    changed = true;
    if (rumor.state() == Rumor.State.SUSPECTED) {
      suspect(fresh, rumor, nowNanos);
    }
  }

  private void forgetLongestGone() {
    records.values().stream()
        .filter(known -> !known.isInView())
        .min(Comparator.comparingLong(known -> known.sinceNanos))
        .ifPresent(known -> {
          records.remove(known.member.id());
          changed = true;
        });
  }

  private void hearOfSelf(Rumor rumor) {
    if (rumor.subject().id() > self.id() && !outdated) {
      outdated = true;
      laterSelf = rumor.subject();
    }
    boolean mine = rumor.subject().id() == self.id();
    if (mine && rumor.state() != Rumor.State.ALIVE && !leaving) {
      if (rumor.refutation() >= refutation) {
        refutation = rumor.refutation() + 1;
        accused = true;
      }
      rumors.add(new Rumor(self, Rumor.State.ALIVE, refutation, self.id()));
    }
  }

  private void suspect(MemberRecord known, Rumor rumor, long nowNanos) {
    if (known.state == Rumor.State.DEAD) {
      return;
    }
    if (known.state == Rumor.State.ALIVE || rumor.refutation() > known.refutation) {
      known.become(Rumor.State.SUSPECTED, rumor.refutation(), nowNanos);
    }
    if (known.accusers.add(rumor.accuser())) {
      rumors.add(rumor);
    }
  }

  private void become(MemberRecord known, Rumor rumor, long nowNanos) {
    boolean wasInView = known.isInView();
    boolean wasLost = known.state == Rumor.State.DEAD;
    known.become(rumor.state(), rumor.refutation(), nowNanos);
    rumors.add(rumor);
    changed |= wasInView != known.isInView() || wasLost != (known.state == Rumor.State.DEAD);
  }

  /**
   * Declares dead whoever was suspected by enough members for long enough; forgets the long gone.
   */
  void judge(long nowNanos) {
    List<MemberRecord> failed = new ArrayList<>();
    for (MemberRecord known : records.values()) {
      if (known.state == Rumor.State.SUSPECTED
          && known.accusers.size() >= accusersNeeded()
          && nowNanos - known.sinceNanos >= suspicionNanos(known.accusers.size())) {
        failed.add(known);
      }
    }
    failed.forEach(known -> declareFailed(known, nowNanos));
    changed |=
        records
            .values()
            .removeIf(known ->
                !known.isInView()
                    && nowNanos - known.sinceNanos >= options.forgetAfter().toNanos());
  }

  /** Declares the member dead. */
  void declareFailed(MemberRecord known, long nowNanos) {
    Rumor declaration = new Rumor(known.member, Rumor.State.DEAD, known.refutation, self.id());
    become(known, declaration, nowNanos);
  }

  /**
   * A pause of this process is nobody else's fault: their time to defend themselves is extended.
   */
  void extendSuspicions(long nanos) {
    for (MemberRecord known : records.values()) {
      known.sinceNanos += nanos;
    }
  }

  /** Members that can accuse: self and all that are not suspected themselves. */
  private int accusersNeeded() {
    int able = 1;
    for (MemberRecord known : records.values()) {
      if (known.state == Rumor.State.ALIVE) {
        able++;
      }
    }
    return Math.min(options.distinctSuspicions(), able);
  }

  /** Lifeguard's decaying timeout: from long for one accuser to short for as many as can be had. */
  private long suspicionNanos(int accusers) {
    int size = view.members().size();
    double scale = Math.max(1, Math.log10(size));
    double shortest = options.suspicionPeriods() * scale * options.probePeriod().toNanos();
    int confirmationsExpected = Math.min(options.indirectProbes(), size - 2);
    if (confirmationsExpected <= 0) {
      return (long) shortest;
    }
    double longest = MembershipOptions.LONE_ACCUSER_FACTOR * shortest;
    double share = Math.log(accusers) / Math.log(confirmationsExpected + 1.0);
    return (long) Math.max(shortest, longest - (longest - shortest) * share);
  }
}
