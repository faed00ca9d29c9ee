package org.terrace.evidence.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

/**
 * The stretches in which a resource was beyond what is usual, as events: readings beyond the bound
 * that follow each other are one. The bounds are low, since the analysis tells chance from cause,
 * and ordinary work is not beyond them. Confined to one thread.
 */
final class Spells {
  /**
   * The bound of a kind.
   *
   * @param value at which it begins
   * @param below whether what is beneath it counts, instead of what is at or above it
   */
  record Bound(String kind, double value, boolean below) {
    boolean isBeyond(double reading) {
      return below ? reading < value : reading >= value;
    }
  }

  /** The bounds of all resources whose readings become events of the same name. */
  static final List<Bound> BOUNDS =
      List.of(
          new Bound(EventKinds.CPU_PRESSURE, 0.5, false),
          new Bound(EventKinds.MEMORY_PRESSURE, 0.1, false),
          new Bound(EventKinds.IO_PRESSURE, 0.3, false),
          new Bound(EventKinds.CPU_STEAL, 0.1, false),
          new Bound(EventKinds.RUN_DELAY, 1, false),
          new Bound(EventKinds.FREQUENCY_LOW, 0.8, true),
          new Bound(EventKinds.WRITEBACK, 16 << 20, false),
          new Bound(EventKinds.MEMORY_RECLAIM, 1, false),
          new Bound(EventKinds.LISTEN_OVERFLOW, 1, false),
          new Bound(EventKinds.CPU_THROTTLED, Double.MIN_NORMAL, false));

  private final Map<String, Bound> bounds = new LinkedHashMap<>();
  private final Map<String, Spell> open = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> attributesOfNode;
  private final Consumer<Event> events;

  private static final class Spell {
    final String node;
    final String kind;
    final long startNanos;
    long endNanos;
    double peak;

    Spell(String node, String kind, long startNanos) {
      this.node = node;
      this.kind = kind;
      this.startNanos = startNanos;
    }
  }

  /**
   * @param attributesOfNode what every event of a kind {@link EventKinds#CPU_THROTTLED} of a node
   *     carries
   */
  Spells(Map<String, Map<String, String>> attributesOfNode, Consumer<Event> events) {
    this.attributesOfNode = Map.copyOf(attributesOfNode);
    this.events = events;
    BOUNDS.forEach(bound -> bounds.put(bound.kind(), bound));
  }

  /** Takes a reading that stands for a stretch of time. */
  void take(String node, String resource, long startNanos, long endNanos, double value) {
    Bound bound = bounds.get(resource);
    if (bound == null) {
      return;
    }
    String name = node + '\0' + resource;
    Spell spell = open.get(name);
    if (!bound.isBeyond(value)) {
      if (spell != null) {
        open.remove(name);
        end(spell);
      }
      return;
    }
    if (spell == null) {
      spell = new Spell(node, resource, startNanos);
      spell.peak = value;
      open.put(name, spell);
    }
    spell.endNanos = Math.max(startNanos, endNanos);
    spell.peak = bound.below() ? Math.min(spell.peak, value) : Math.max(spell.peak, value);
  }

  /** Ends what is still going on. */
  void finish() {
    open.values().forEach(this::end);
    open.clear();
  }

  private void end(Spell spell) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("peak", String.format(Locale.ROOT, "%.3g", spell.peak));
    if (spell.kind.equals(EventKinds.CPU_THROTTLED)) {
      attributes.putAll(attributesOfNode.getOrDefault(spell.node, Map.of()));
    }
    // A clock that is set back makes no event that ends before it starts.
    long end = Math.max(spell.startNanos, spell.endNanos);
    events.accept(new Event(spell.node, spell.kind, spell.startNanos, end, attributes));
  }
}
