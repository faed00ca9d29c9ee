package org.terrace.collections.gossip;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * Sends no more than {@value #MESSAGES_A_ROUND_MAX} messages of gossip in a round of this replica;
 * what is too much waits for the next one, the most useful first. Confined to the holder of the
 * replica's lock.
 */
public final class GossipBudget {
  /** Largest number of messages from one round of this replica to its next. */
  public static final int MESSAGES_A_ROUND_MAX = 3;

  /** The most messages that wait; the least useful are dropped, and later rounds make up for it. */
  private static final int POSTPONED_MAX = 16;

  /** The use of a message, the greatest first: that which brings two replicas together soonest. */
  enum Use {
    UPDATES,
    ENTRIES,
    FETCH,
    SKETCH,
    SKETCH_REQUEST,
    ANSWER,
    COMPARISON
  }

  private record Postponed(Use use, long number, Member to, Supplier<Encoder> message) {}

  private static final Comparator<Postponed> MOST_USEFUL_FIRST =
      Comparator.comparing(Postponed::use).thenComparingLong(Postponed::number);

  private final List<GossipEffect> effects;
  private final GossipCounters counters;
  private final TreeSet<Postponed> postponed = new TreeSet<>(MOST_USEFUL_FIRST);
  private int left = MESSAGES_A_ROUND_MAX;
  private long numbers;

  /**
   * A budget that is full.
   *
   * @param effects where messages are added that are to be sent
   */
  GossipBudget(List<GossipEffect> effects, GossipCounters counters) {
    this.effects = effects;
    this.counters = counters;
  }

  /** Begins a round: what waits goes, but for one message that is left for the round's own. */
  void round(View view) {
    left = MESSAGES_A_ROUND_MAX;
    postponed.removeIf(late -> !view.contains(late.to.id()));
    while (left > 1 && !postponed.isEmpty()) {
      Postponed late = postponed.removeFirst();
      send(late.use, late.to, late.message);
    }
  }

  void send(Use use, Member to, Encoder message) {
    send(use, to, () -> message);
  }

  /** Sends a message, or has it wait; one of the same use to the same member takes its place. */
  void send(Use use, Member to, Supplier<Encoder> message) {
    if (left > 0) {
      left--;
      effects.add(new GossipEffect.Send(to, message.get()));
      return;
    }
    counters.postponed++;
    postponed.removeIf(late -> late.use == use && late.to.id() == to.id());
    postponed.add(new Postponed(use, ++numbers, to, message));
    if (postponed.size() > POSTPONED_MAX) {
      postponed.removeLast();
      counters.dropped++;
    }
  }
}
