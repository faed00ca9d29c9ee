package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.View;

/**
 * One member's part of the membership protocol: SWIM's probes ({@link Prober}) and rumors ({@link
 * Roster}), with Lifeguard's refinements.
 *
 * <p>Each period it pings one other member, in an order shuffled anew after each round. Without an
 * answer in time it asks a few others to ping for it; without any answer it suspects the member and
 * says so. The suspected member is told directly, and defends itself by refuting the suspicion
 * under a higher number (SWIM calls it the incarnation). Who stays suspected by enough members for
 * long enough is declared dead; it is still tried from time to time, so that a healed partition
 * heals the group. A member that gets few answers, or is itself accused, doubts itself and becomes
 * slower to accuse (local health).
 *
 * <p>A process that ends on a machine that lives on is noticed sooner: its connections end, and new
 * ones are refused. Two such pieces of evidence, and nothing heard from the member in between, have
 * it declared dead at once; silence alone never does.
 *
 * <p>Sources: Das, Gupta, Motivala, "SWIM", 2002; Dadgar, Phillips, Currey, "Lifeguard: Local
 * Health Awareness for More Accurate Failure Detection", 2017; Balakrishnan and others, "Tempest",
 * for the f distinct suspicions.
 *
 * <p>A deterministic function of its events, the times passed in and its generator. Confined.
 */
public final class Membership {
  private static final int PAUSE_PERIODS = 4;
  private static final int TICKS_A_PERIOD = 5;

  private final Member self;
  private final ProtocolVersions protocol;
  private final MembershipOptions options;
  private final Roster roster;
  private final Correspondence correspondence;
  private final Prober prober;
  private List<InetSocketAddress> contacts = List.of();
  private long nextReconnectNanos;
  private long lastTickNanos;

  /** A member alone, at the given time of the monotonic clock. */
  public Membership(Member self, MembershipOptions options, RandomGenerator random, long nowNanos) {
    this(self, options, random, nowNanos, ProtocolVersions.ofThisBuild());
  }

  /** The same, understanding those versions of the protocol. */
  public Membership(
      Member self,
      MembershipOptions options,
      RandomGenerator random,
      long nowNanos,
      ProtocolVersions protocol) {
    this.self = self;
    this.protocol = protocol;
    this.options = options;
    this.roster = new Roster(self, options, protocol);
    this.correspondence = new Correspondence(self, protocol, roster);
    this.prober = new Prober(self, options, random, roster, correspondence, nowNanos);
    this.nextReconnectNanos = nowNanos;
    this.lastTickNanos = nowNanos;
  }

  /**
   * The period in which a tick is due: short enough for the timeouts, and no shorter, since each
   * takes time.
   */
  public Duration tickPeriod() {
    return options.probePeriod().dividedBy(TICKS_A_PERIOD);
  }

  /** The present view. */
  public View view() {
    return roster.view();
  }

  /** Whether the identity is that of a member ever met and not forgotten, dead or alive. */
  public boolean knows(long id) {
    return roster.record(id) != null;
  }

  /** The extent to which this member doubts itself, 0 (not at all) to 8. */
  public int selfDoubt() {
    return prober.selfDoubt();
  }

  /** Takes one event at the given time and says what is to be done. */
  public List<MembershipEffect> step(long nowNanos, MembershipEvent event) {
    List<MembershipEffect> effects = new ArrayList<>();
    switch (event) {
      case MembershipEvent.Tick() -> tick(nowNanos, effects);
      case MembershipEvent.Received(MembershipMessage message) ->
          receive(nowNanos, message, effects);
      case MembershipEvent.Contacts(List<InetSocketAddress> addresses) -> {
        contacts = addresses;
        nextReconnectNanos = nowNanos;
        reconnect(nowNanos, effects);
      }
      case MembershipEvent.Incompatible(InetSocketAddress from, int theirs, int members) ->
          meetIncompatible(from, theirs, members, effects);
      case MembershipEvent.Corrected(InetSocketAddress from, int version) ->
          correspondence.correct(from, version, effects);
      case MembershipEvent.Stranger(InetSocketAddress address) ->
          correspondence.greet(address, effects);
      case MembershipEvent.Disconnected(long id) -> disconnected(id, effects);
      case MembershipEvent.Refused(long id) -> refused(nowNanos, id, effects);
      case MembershipEvent.Leave() -> leave(effects);
    }
    if (roster.takeAccused()) {
      prober.doubt(1);
    }
    Member later = roster.takeLaterSelf();
    if (later != null) {
      effects.add(new MembershipEffect.Outdated(later));
    }
    View changed = roster.takeChangedView();
    ProtocolAgreement agreement = roster.takeChangedAgreement();
    if (agreement != null) {
      effects.add(new MembershipEffect.Agreed(agreement));
    }
    if (changed != null) {
      effects.add(new MembershipEffect.ViewChanged(changed));
    }
    return effects;
  }

  /**
   * Meets a group of a version that is not understood here: a member that is alone gives way to a
   * group; of two that are alone, the later version does, for the other one was there before.
   */
  private void meetIncompatible(
      InetSocketAddress from, int theirs, int members, List<MembershipEffect> effects) {
    boolean isRefused = members > 0;
    boolean isAlone = view().others().isEmpty();
    if (!isRefused) {
      effects.add(
          new MembershipEffect.Refuse(from, protocol.nearest(theirs), view().members().size()));
    }
    boolean yields = isRefused && isAlone && (members > 1 || theirs < protocol.least());
    effects.add(new MembershipEffect.Incompatible(from, theirs, yields));
  }

  private void tick(long nowNanos, List<MembershipEffect> effects) {
    long gap = nowNanos - lastTickNanos;
    lastTickNanos = nowNanos;
    if (gap > PAUSE_PERIODS * options.probePeriod().toNanos()) {
      roster.extendSuspicions(gap);
      prober.beginAnew(nowNanos);
    }
    prober.tick(nowNanos, effects);
    summonSuspected(nowNanos, effects);
    roster.judge(nowNanos);
    reconnect(nowNanos, effects);
  }

  /** Tells suspected members directly, so that a lossy network does not keep it from them. */
  private void summonSuspected(long nowNanos, List<MembershipEffect> effects) {
    for (MemberRecord known : roster.records()) {
      if (known.state == Rumor.State.SUSPECTED && nowNanos >= known.nextSummonsNanos) {
        known.nextSummonsNanos = nowNanos + options.probePeriod().toNanos() / 2;
        roster.rumors().add(known.asRumor(self.id()));
        correspondence.ping(known.member, effects);
      }
    }
  }

  private void receive(long nowNanos, MembershipMessage message, List<MembershipEffect> effects) {
    Member from = message.from();
    Member latest = roster.laterThan(from);
    if (latest != null) {
      correspondence.tellOutdated(message, latest, effects);
      return;
    }
    correspondence.heard(from);
    roster.hear(
        new Rumor(from, Rumor.State.ALIVE, message.refutation(), self.id(), message.understood()),
        nowNanos);
    if (from.isSameProcessAs(self)) {
      return;
    }
    roster.heardFrom(from, message.understood());
    message.rumors().forEach(rumor -> roster.hear(rumor, nowNanos));
    MemberRecord sender = roster.record(from.id());
    if (sender != null) {
      sender.maybeEnded = false;
    }
    if (sender != null && sender.state != Rumor.State.ALIVE && sender.state != Rumor.State.LEFT) {
      roster.rumors().add(sender.asRumor(self.id()));
    }
    switch (message.kind()) {
      case PING ->
          correspondence.send(MembershipMessage.Kind.ACK, from, message.sequence(), null, effects);
      case PING_REQUEST -> prober.relay(nowNanos, message, effects);
      case ACK -> prober.acknowledged(message, effects);
      case NACK -> prober.unreachable(message);
      case SYNC -> correspondence.answerGreeting(message, effects);
      case SYNC_REPLY -> {}
    }
  }

  /** Greets the contacts that are nobody's in the view, and the members that were lost. */
  private void reconnect(long nowNanos, List<MembershipEffect> effects) {
    if (nowNanos < nextReconnectNanos) {
      return;
    }
    nextReconnectNanos = nowNanos + options.reconnectPeriod().toNanos();
    List<InetSocketAddress> strangers = new ArrayList<>(contacts);
    for (MemberRecord known : roster.records()) {
      if (known.isInView()) {
        strangers.remove(known.member.address());
      } else if (known.state == Rumor.State.DEAD && !strangers.contains(known.member.address())) {
        strangers.add(known.member.address());
      }
    }
    strangers.remove(self.address());
    strangers.forEach(stranger -> correspondence.greet(stranger, effects));
  }

  private void disconnected(long id, List<MembershipEffect> effects) {
    MemberRecord known = roster.record(id);
    if (known != null && known.isInView()) {
      known.maybeEnded = true;
      correspondence.ping(known.member, effects);
    }
  }

  private void refused(long nowNanos, long id, List<MembershipEffect> effects) {
    MemberRecord known = roster.record(id);
    if (known == null || !known.isInView()) {
      return;
    }
    if (!known.maybeEnded) {
      disconnected(id, effects);
      return;
    }
    roster.declareFailed(known, nowNanos);
    for (MemberRecord other : roster.records()) {
      if (other == known || other.isInView()) {
        correspondence.ping(other.member, effects);
      }
    }
  }

  private void leave(List<MembershipEffect> effects) {
    roster.leave();
    for (MemberRecord known : roster.records()) {
      if (known.isInView()) {
        correspondence.send(MembershipMessage.Kind.NACK, known.member, 0, null, effects);
      }
    }
  }
}
