package org.terrace.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.observation.Event;
import org.terrace.report.page.Glyph;

/** The distinct marks and texts of a page's events, each written once. Confined to one thread. */
final class EventTexts {
  /** Texts with details; further events are named by their kind alone. */
  private static final int LIMIT = 200;

  private final Map<List<String>, Integer> places = new LinkedHashMap<>();

  /** The place of an event's mark and text in the list. */
  int place(Event event) {
    List<String> detailed = List.of(event.kind(), Content.words(event));
    List<String> entry =
        places.containsKey(detailed) || places.size() < LIMIT
            ? detailed
            : List.of(event.kind(), Content.words(event.kind()));
    places.putIfAbsent(entry, places.size());
    return places.get(entry);
  }

  /** All of them, in the order of their places. */
  List<Map<String, String>> all() {
    List<Map<String, String>> all = new ArrayList<>();
    for (List<String> entry : places.keySet()) {
      Glyph glyph = Glyph.of(entry.getFirst());
      all.add(Map.of("symbol", glyph.symbol(), "style", glyph.style(), "text", entry.getLast()));
    }
    return all;
  }
}
