package org.terrace.groups.membership;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.View;

/**
 * One member's part of the membership protocol: SWIM's probes and rumors, with Lifeguard's
 * refinements.
 *
 * <p>Each period it pings one other member, in an order shuffled anew after each round. Without an
 * answer in time it asks a few others to ping for it; without any answer it suspects the member and
 * says so. The suspected member is told directly, and defends itself by raising its incarnation.
 * Who stays suspected by enough members for long enough is declared dead; it is still tried from
 * time to time, so that a healed partition heals the group. A member that gets few answers, or is
 * itself accused, doubts itself and becomes slower to accuse (local health).
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
  /**
   * How far a member may doubt itself: its periods and timeouts grow up to this many times plus 1.
   */
  private static final int HEALTH_MAX = 8;

  private static final int RELAYS_MAX = 64;
  private static final int PAUSE_PERIODS = 4;

  private static final class Probe {
    final MemberRecord target;
    final long sequence;
    final long indirectAtNanos;
    final long endNanos;
    boolean answered;
    int requested;
    int nacks;

    Probe(MemberRecord target, long sequence, long indirectAtNanos, long endNanos) {
      this.target = target;
      this.sequence = sequence;
      this.indirectAtNanos = indirectAtNanos;
      this.endNanos = endNanos;
    }
  }

  /** A probe made for another member. */
  private record Relay(Member asker, long askersSequence, long deadlineNanos) {}

  private final Member self;
  private final MembershipOptions options;
  private final RandomGenerator random;
  private final Roster roster;
  private final Map<Long, Relay> relays = new TreeMap<>();
  private final List<Long> round = new ArrayList<>();
  private List<InetSocketAddress> contacts = List.of();
  private @Nullable Probe probe;
  private long sequence;
  private int health;
  private long nextProbeNanos;
  private long nextReconnectNanos;
  private long lastTickNanos;

  /** A member alone, at the given time of the monotonic clock. */
  public Membership(Member self, MembershipOptions options, RandomGenerator random, long nowNanos) {
    this.self = self;
    this.options = options;
    this.random = random;
    this.roster = new Roster(self, options);
    this.nextProbeNanos = nowNanos;
    this.nextReconnectNanos = nowNanos;
    this.lastTickNanos = nowNanos;
  }

  /** The present view. */
  public View view() {
    return roster.view();
  }

  /** Whether the identity is that of a member ever met and not forgotten, dead or alive. */
  public boolean knows(long id) {
    return roster.record(id) != null;
  }

  /** How much this member doubts itself, 0 (not at all) to 8. */
  public int selfDoubt() {
    return health;
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
      case MembershipEvent.Stranger(InetSocketAddress address) -> greet(address, effects);
      case MembershipEvent.Disconnected(long id) -> disconnected(id, effects);
      case MembershipEvent.Refused(long id) -> refused(nowNanos, id, effects);
      case MembershipEvent.Leave() -> leave(effects);
    }
    if (roster.takeAccused()) {
      doubt(1);
    }
    View changed = roster.takeChangedView();
    if (changed != null) {
      effects.add(new MembershipEffect.ViewChanged(changed));
    }
    return effects;
  }

  private void tick(long nowNanos, List<MembershipEffect> effects) {
    long gap = nowNanos - lastTickNanos;
    lastTickNanos = nowNanos;
    if (gap > PAUSE_PERIODS * options.probePeriod().toNanos()) {
      roster.extendSuspicions(gap);
      probe = null;
      relays.clear();
      nextProbeNanos = nowNanos;
      doubt(1);
    }
    continueProbe(nowNanos, effects);
    if (probe == null && nowNanos >= nextProbeNanos) {
      startProbe(nowNanos, effects);
    }
    expireRelays(nowNanos, effects);
    summonSuspected(nowNanos, effects);
    roster.judge(nowNanos);
    reconnect(nowNanos, effects);
  }

  private void startProbe(long nowNanos, List<MembershipEffect> effects) {
    long stretch = health + 1L;
    nextProbeNanos = nowNanos + options.probePeriod().toNanos() * stretch;
    MemberRecord target = nextTarget();
    if (target == null) {
      return;
    }
    Probe started =
        new Probe(
            target,
            ++sequence,
            nowNanos + options.probeTimeout().toNanos() * stretch,
            nextProbeNanos);
    probe = started;
    send(MembershipMessage.Kind.PING, target.member, started.sequence, target.member, effects);
  }

  private void continueProbe(long nowNanos, List<MembershipEffect> effects) {
    Probe current = probe;
    if (current == null) {
      return;
    }
    if (current.answered) {
      probe = null;
      doubt(-1);
      return;
    }
    if (current.requested == 0 && nowNanos >= current.indirectAtNanos) {
      for (MemberRecord helper : helpers(current.target)) {
        current.requested++;
        send(
            MembershipMessage.Kind.PING_REQUEST,
            helper.member,
            current.sequence,
            current.target.member,
            effects);
      }
    }
    if (nowNanos >= current.endNanos) {
      probe = null;
      boolean unheard = current.requested > 0 && current.nacks == 0;
      doubt(unheard || current.requested == 0 ? 1 : 0);
      if (current.target.isInView()) {
        Rumor accusation =
            new Rumor(
                current.target.member,
                Rumor.State.SUSPECTED,
                current.target.incarnation,
                self.id());
        roster.hear(accusation, nowNanos);
      }
    }
  }

  /** Tells suspected members directly, so that a lossy network does not keep it from them. */
  private void summonSuspected(long nowNanos, List<MembershipEffect> effects) {
    for (MemberRecord known : roster.records()) {
      if (known.state == Rumor.State.SUSPECTED && nowNanos >= known.nextSummonsNanos) {
        known.nextSummonsNanos = nowNanos + options.probePeriod().toNanos() / 2;
        roster.rumors().add(known.asRumor(self.id()));
        send(MembershipMessage.Kind.PING, known.member, ++sequence, known.member, effects);
      }
    }
  }

  private @Nullable MemberRecord nextTarget() {
    for (int attempt = 0; attempt < 2; attempt++) {
      while (!round.isEmpty()) {
        MemberRecord known = roster.record(round.removeLast());
        if (known != null && known.isInView()) {
          return known;
        }
      }
      for (MemberRecord known : roster.records()) {
        if (known.isInView()) {
          round.add(known.member.id());
        }
      }
      Collections.shuffle(round, Random.from(random));
    }
    return null;
  }

  private List<MemberRecord> helpers(MemberRecord target) {
    List<MemberRecord> able = new ArrayList<>();
    for (MemberRecord known : roster.records()) {
      if (known != target && known.state == Rumor.State.ALIVE) {
        able.add(known);
      }
    }
    Collections.shuffle(able, Random.from(random));
    return able.subList(0, Math.min(options.indirectProbes(), able.size()));
  }

  private void receive(long nowNanos, MembershipMessage message, List<MembershipEffect> effects) {
    Member from = message.from();
    if (from.isSameProcessAs(self)) {
      return;
    }
    roster.hear(new Rumor(from, Rumor.State.ALIVE, message.incarnation(), self.id()), nowNanos);
    message.rumors().forEach(rumor -> roster.hear(rumor, nowNanos));
    MemberRecord sender = roster.record(from.id());
    if (sender != null) {
      sender.maybeEnded = false;
    }
    if (sender != null && sender.state != Rumor.State.ALIVE && sender.state != Rumor.State.LEFT) {
      roster.rumors().add(sender.asRumor(self.id()));
    }
    switch (message.kind()) {
      case PING -> send(MembershipMessage.Kind.ACK, from, message.sequence(), null, effects);
      case PING_REQUEST -> relay(nowNanos, message, effects);
      case ACK -> acknowledged(message, effects);
      case NACK -> {
        if (probe != null && probe.sequence == message.sequence()) {
          probe.nacks++;
        }
      }
      case SYNC ->
          effects.add(
              new MembershipEffect.Send(
                  from.address(),
                  new MembershipMessage(
                      MembershipMessage.Kind.SYNC_REPLY,
                      self,
                      roster.incarnation(),
                      message.sequence(),
                      null,
                      roster.everything())));
      case SYNC_REPLY -> {}
    }
  }

  private void relay(long nowNanos, MembershipMessage request, List<MembershipEffect> effects) {
    Member subject = request.subject();
    if (subject == null || relays.size() == RELAYS_MAX) {
      return;
    }
    long deadlineNanos = nowNanos + options.probeTimeout().toNanos() * 4 / 5;
    relays.put(++sequence, new Relay(request.from(), request.sequence(), deadlineNanos));
    send(MembershipMessage.Kind.PING, subject, sequence, subject, effects);
  }

  private void acknowledged(MembershipMessage ack, List<MembershipEffect> effects) {
    Relay relay = relays.remove(ack.sequence());
    if (relay != null) {
      send(MembershipMessage.Kind.ACK, relay.asker, relay.askersSequence, null, effects);
    }
    if (probe != null && probe.sequence == ack.sequence()) {
      probe.answered = true;
    }
  }

  private void expireRelays(long nowNanos, List<MembershipEffect> effects) {
    List<Relay> expired = new ArrayList<>();
    relays.values().removeIf(relay -> nowNanos >= relay.deadlineNanos && expired.add(relay));
    for (Relay relay : expired) {
      send(MembershipMessage.Kind.NACK, relay.asker, relay.askersSequence, null, effects);
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
    strangers.forEach(stranger -> greet(stranger, effects));
  }

  private void greet(InetSocketAddress stranger, List<MembershipEffect> effects) {
    effects.add(
        new MembershipEffect.Send(
            stranger,
            new MembershipMessage(
                MembershipMessage.Kind.SYNC,
                self,
                roster.incarnation(),
                ++sequence,
                null,
                roster.everything())));
  }

  private void disconnected(long id, List<MembershipEffect> effects) {
    MemberRecord known = roster.record(id);
    if (known != null && known.isInView()) {
      known.maybeEnded = true;
      send(MembershipMessage.Kind.PING, known.member, ++sequence, known.member, effects);
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
    roster.condemn(known, nowNanos);
    for (MemberRecord other : roster.records()) {
      if (other == known || other.isInView()) {
        send(MembershipMessage.Kind.PING, other.member, ++sequence, other.member, effects);
      }
    }
  }

  private void leave(List<MembershipEffect> effects) {
    roster.leave();
    for (MemberRecord known : roster.records()) {
      if (known.isInView()) {
        send(MembershipMessage.Kind.NACK, known.member, 0, null, effects);
      }
    }
  }

  private void send(
      MembershipMessage.Kind kind,
      Member to,
      long number,
      @Nullable Member subject,
      List<MembershipEffect> effects) {
    List<Rumor> riding = roster.rumors().next(to.id(), roster.view().members().size());
    MembershipMessage message =
        new MembershipMessage(kind, self, roster.incarnation(), number, subject, riding);
    effects.add(new MembershipEffect.Send(to.address(), message));
  }

  private void doubt(int change) {
    health = Math.clamp(health + (long) change, 0, HEALTH_MAX);
  }
}
