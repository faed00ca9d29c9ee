package org.terrace.groups.membership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rumors that are still worth passing on, the least told first.
 *
 * <p>A rumor is told a few times the logarithm of the group's size, after which everybody has heard
 * it with high probability; a newer one about the same member replaces it. Confined.
 */
final class Rumors {
  /** The most rumors that ride on one message. */
  static final int PER_MESSAGE_MAX = 8;

  private static final int TELLINGS_FACTOR = 4;
  private static final int KEPT_MAX = 256;

  private static final class Told {
    final Rumor rumor;
    int times;

    Told(Rumor rumor) {
      this.rumor = rumor;
    }
  }

  private final List<Told> told = new ArrayList<>();

  void add(Rumor rumor) {
    told.removeIf(old -> isReplacedBy(old.rumor, rumor));
    if (told.size() == KEPT_MAX) {
      told.removeLast();
    }
    told.addFirst(new Told(rumor));
  }

  /** The rumors to ride on the next message, those about its receiver first. */
  List<Rumor> next(long receiver, int groupSize) {
    int tellingsMax = TELLINGS_FACTOR * (Integer.SIZE - Integer.numberOfLeadingZeros(groupSize));
    told.removeIf(one -> one.times >= tellingsMax);
    told.sort(
        Comparator.<Told>comparingInt(one -> one.rumor.subject().id() == receiver ? 0 : 1)
            .thenComparingInt(one -> one.times));
    List<Rumor> chosen = new ArrayList<>();
    for (Told one : told.subList(0, Math.min(PER_MESSAGE_MAX, told.size()))) {
      one.times++;
      chosen.add(one.rumor);
    }
    return chosen;
  }

  private static boolean isReplacedBy(Rumor old, Rumor latest) {
    boolean anotherAccuser =
        old.state() == Rumor.State.SUSPECTED
            && latest.state() == Rumor.State.SUSPECTED
            && old.refutation() == latest.refutation()
            && old.accuser() != latest.accuser();
    return old.subject().id() == latest.subject().id() && !anotherAccuser;
  }
}
