package org.terrace.groups.membership;

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

/**
 * One member's probes of the others, directly and by way of helpers, those it makes for others, and
 * how much it doubts itself by what comes of them. Confined.
 */
final class Prober {
  /**
   * The most that a member may doubt itself: its periods and timeouts grow up to this many times
   * plus 1.
   */
  private static final int HEALTH_MAX = 8;

  private static final int RELAYS_MAX = 64;

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
  private final Correspondence correspondence;
  private final Map<Long, Relay> relays = new TreeMap<>();
  private final List<Long> round = new ArrayList<>();
  private @Nullable Probe probe;
  private int health;
  private long nextProbeNanos;

  Prober(
      Member self,
      MembershipOptions options,
      RandomGenerator random,
      Roster roster,
      Correspondence correspondence,
      long nowNanos) {
    this.self = self;
    this.options = options;
    this.random = random;
    this.roster = roster;
    this.correspondence = correspondence;
    this.nextProbeNanos = nowNanos;
  }

  /** The extent to which this member doubts itself, 0 (not at all) to {@value #HEALTH_MAX}. */
  int selfDoubt() {
    return health;
  }

  /** Gives up what was under way before this process stood still, and doubts itself for it. */
  void beginAnew(long nowNanos) {
    probe = null;
    relays.clear();
    nextProbeNanos = nowNanos;
    doubt(1);
  }

  void tick(long nowNanos, List<MembershipEffect> effects) {
    continueProbe(nowNanos, effects);
    if (probe == null && nowNanos >= nextProbeNanos) {
      startProbe(nowNanos, effects);
    }
    expireRelays(nowNanos, effects);
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
            correspondence.nextNumber(),
            nowNanos + options.probeTimeout().toNanos() * stretch,
            nextProbeNanos);
    probe = started;
    correspondence.send(
        MembershipMessage.Kind.PING, target.member, started.sequence, target.member, effects);
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
        correspondence.send(
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
                current.target.member, Rumor.State.SUSPECTED, current.target.refutation, self.id());
        roster.hear(accusation, nowNanos);
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

  /** A helper could not reach the target, but answered. */
  void unreachable(MembershipMessage nack) {
    if (probe != null && probe.sequence == nack.sequence()) {
      probe.nacks++;
    }
  }

  /** Pings for another member. */
  void relay(long nowNanos, MembershipMessage request, List<MembershipEffect> effects) {
    Member subject = request.subject();
    if (subject == null || relays.size() == RELAYS_MAX) {
      return;
    }
    long deadlineNanos = nowNanos + options.probeTimeout().toNanos() * 4 / 5;
    long number = correspondence.nextNumber();
    relays.put(number, new Relay(request.from(), request.sequence(), deadlineNanos));
    correspondence.send(MembershipMessage.Kind.PING, subject, number, subject, effects);
  }

  /** The target of a probe, of this member or another, has answered. */
  void acknowledged(MembershipMessage ack, List<MembershipEffect> effects) {
    Relay relay = relays.remove(ack.sequence());
    if (relay != null) {
      correspondence.send(
          MembershipMessage.Kind.ACK, relay.asker, relay.askersSequence, null, effects);
    }
    if (probe != null && probe.sequence == ack.sequence()) {
      probe.answered = true;
    }
  }

  private void expireRelays(long nowNanos, List<MembershipEffect> effects) {
    List<Relay> expired = new ArrayList<>();
    relays.values().removeIf(relay -> nowNanos >= relay.deadlineNanos && expired.add(relay));
    for (Relay relay : expired) {
      correspondence.send(
          MembershipMessage.Kind.NACK, relay.asker, relay.askersSequence, null, effects);
    }
  }

  /** Doubts itself more or less. */
  void doubt(int change) {
    health = Math.clamp(health + (long) change, 0, HEALTH_MAX);
  }
}
