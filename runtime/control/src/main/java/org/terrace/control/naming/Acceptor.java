package org.terrace.control.naming;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One naming process's part of the agreement on names: the promises it has given, the values it has
 * accepted, and the values it knows to be chosen.
 *
 * <p>A pure state machine. Whoever runs it stores {@link #slots()} before a reply leaves if {@link
 * #changes()} has grown: a promise forgotten is a promise broken. Confined to one thread. Source:
 * Rystsov, "CASPaxos: Replicated state machines without logs", 2018, section 2.2.
 */
final class Acceptor {
  private static final int NAMES_MAX = 10_000;

  /** The state of one name. */
  record Slot(
      Ballot promised,
      Ballot accepted,
      @Nullable Registration value,
      @Nullable Registration chosen) {
    static final Slot EMPTY = new Slot(Ballot.NONE, Ballot.NONE, null, null);
  }

  private final NavigableMap<String, Slot> slots;
  private long floor;
  private long changes;
  private long refusedNames;

  /**
   * The acceptor with what its disk holds.
   *
   * @param floor the counter below which it takes part in no round, whatever the name
   */
  Acceptor(Map<String, Slot> slots, long floor) {
    this.slots = new TreeMap<>(slots);
    this.floor = floor;
  }

  /** The counter below which it takes part in no round. */
  long floor() {
    return floor;
  }

  /** Takes part in no round below that counter any more. */
  void raiseFloor(long counter) {
    if (counter > floor) {
      floor = counter;
      changes++;
    }
  }

  /** Everything that must survive a crash. */
  NavigableMap<String, Slot> slots() {
    return slots;
  }

  /** Grows with each change that must be stored before a reply leaves. */
  long changes() {
    return changes;
  }

  /** The number of times that a name was refused because there were too many. */
  long refusedNames() {
    return refusedNames;
  }

  /** The answer to a message; null where there is none. */
  @Nullable NamingMessage step(NamingMessage message) {
    return switch (message) {
      case NamingMessage.Prepare prepare -> prepare(prepare);
      case NamingMessage.Accept accept -> accept(accept);
      case NamingMessage.Resolve(long id, String name) ->
          new NamingMessage.Resolved(id, chosen(name));
      case NamingMessage.ListAll(long id, String from) -> listed(id, from);
      case NamingMessage.Learn(Registration value) -> {
        hear(value);
        yield null;
      }
      case NamingMessage.Promised ignored -> null;
      case NamingMessage.Accepted ignored -> null;
      case NamingMessage.Refused ignored -> null;
      case NamingMessage.Resolved ignored -> null;
      case NamingMessage.Listed ignored -> null;
      case NamingMessage.Watch ignored -> null;
      case NamingMessage.Stand ignored -> null;
      case NamingMessage.Standing ignored -> null;
      case NamingMessage.Enter ignored -> null;
      case NamingMessage.Entered ignored -> null;
    };
  }

  /** The registration that is known to be chosen under a name; null if none is. */
  @Nullable Registration chosen(String name) {
    return slots.getOrDefault(name, Slot.EMPTY).chosen();
  }

  private NamingMessage listed(long id, String from) {
    SortedMap<String, Slot> page = page(from);
    List<Registration> values =
        page.values().stream().map(Slot::chosen).filter(Objects::nonNull).toList();
    return new NamingMessage.Listed(id, values, next(page));
  }

  /**
   * The slots of the names from a given one on, as many as go into a page.
   *
   * @param from the first name of the page; empty for the first page
   */
  SortedMap<String, Slot> page(String from) {
    SortedMap<String, Slot> page = new TreeMap<>();
    int bytes = 0;
    for (Map.Entry<String, Slot> each : slots.tailMap(from, true).entrySet()) {
      bytes += NamingCodec.size(each.getKey(), each.getValue());
      if (bytes > NamingCodec.PAGE_BYTES && !page.isEmpty()) {
        break;
      }
      page.put(each.getKey(), each.getValue());
    }
    return page;
  }

  /** The name that the page after this one begins with; empty if this one is the last. */
  String next(SortedMap<String, Slot> page) {
    String next = page.isEmpty() ? null : slots.higherKey(page.lastKey());
    return next == null ? "" : next;
  }

  /**
   * Takes note of a value that somebody says was chosen, if this process accepted it itself: of
   * whatever was chosen a majority did, and the others ask for it. A notice alone is believed by
   * nobody, since anybody can send one, with any version. Whether it is news.
   */
  boolean hear(Registration value) {
    return value.equals(slots.getOrDefault(value.service(), Slot.EMPTY).value()) && learn(value);
  }

  /** Takes note of a chosen value; whether it is news. */
  boolean learn(Registration value) {
    Slot slot = slots.getOrDefault(value.service(), Slot.EMPTY);
    Registration known = slot.chosen();
    if ((known != null && known.version() >= value.version()) || isFull(value.service())) {
      return false;
    }
    slots.put(value.service(), new Slot(slot.promised(), slot.accepted(), slot.value(), value));
    changes++;
    return true;
  }

  /** Binds itself to whatever another process has promised, accepted and learned. */
  void takeOver(Map<String, Slot> others) {
    others.forEach((name, other) -> {
      Slot own = slots.getOrDefault(name, Slot.EMPTY);
      boolean later = other.accepted().compareTo(own.accepted()) > 0;
      slots.put(
          name,
          new Slot(
              other.promised().compareTo(own.promised()) > 0 ? other.promised() : own.promised(),
              later ? other.accepted() : own.accepted(),
              later ? other.value() : own.value(),
              newer(own.chosen(), other.chosen())));
    });
    changes++;
  }

  private static @Nullable Registration newer(@Nullable Registration a, @Nullable Registration b) {
    return a == null || (b != null && b.version() > a.version()) ? b : a;
  }

  private NamingMessage prepare(NamingMessage.Prepare prepare) {
    Slot slot = slots.getOrDefault(prepare.name(), Slot.EMPTY);
    if (prepare.ballot().counter() < floor
        || prepare.ballot().compareTo(slot.promised()) <= 0
        || isFull(prepare.name())) {
      return new NamingMessage.Refused(prepare.id(), refusing(slot));
    }
    slots.put(
        prepare.name(), new Slot(prepare.ballot(), slot.accepted(), slot.value(), slot.chosen()));
    changes++;
    return new NamingMessage.Promised(prepare.id(), slot.accepted(), slot.value());
  }

  private NamingMessage accept(NamingMessage.Accept accept) {
    Slot slot = slots.getOrDefault(accept.name(), Slot.EMPTY);
    if (accept.ballot().counter() < floor
        || accept.ballot().compareTo(slot.promised()) < 0
        || isFull(accept.name())) {
      return new NamingMessage.Refused(accept.id(), refusing(slot));
    }
    slots.put(
        accept.name(), new Slot(accept.ballot(), accept.ballot(), accept.value(), slot.chosen()));
    changes++;
    return new NamingMessage.Accepted(accept.id());
  }

  /** The ballot that a proposer has to go beyond. */
  private Ballot refusing(Slot slot) {
    return slot.promised().counter() < floor ? new Ballot(floor, 0) : slot.promised();
  }

  private boolean isFull(String name) {
    if (slots.size() < NAMES_MAX || slots.containsKey(name)) {
      return false;
    }
    refusedNames++;
    return true;
  }
}
