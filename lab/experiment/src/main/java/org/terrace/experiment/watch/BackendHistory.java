package org.terrace.experiment.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.observation.Event;

/**
 * The times in which reverse proxies passed over a server, from the lines they print: {@code
 * backend NAME down|up EPOCHNANOS REASON}. Thread-safe.
 */
public final class BackendHistory {
  /** A proxy sends nothing to a server: from its ejection to its admission. */
  public static final String BACKEND_DOWN = "backend-down";

  private record Ejection(long sinceNanos, String reason) {}

  private final Map<String, Map<String, Ejection>> open = new HashMap<>();
  private final List<Event> events = new ArrayList<>();

  /** Whether a line says that a proxy passes over a server. */
  public static boolean tellsLoss(String line) {
    String[] words = line.split(" ", 5);
    return words.length >= 4 && words[0].equals("backend") && words[2].equals("down");
  }

  /** Takes a line that a proxy has printed. */
  public synchronized void printed(String proxy, String line) {
    String[] words = line.split(" ", 5);
    if (words.length < 4 || !words[0].equals("backend")) {
      return;
    }
    String backend = words[1];
    long when = Long.parseLong(words[3]);
    Map<String, Ejection> ejected = open.computeIfAbsent(proxy, name -> new HashMap<>());
    if (words[2].equals("down")) {
      ejected.put(backend, new Ejection(when, words.length > 4 ? words[4] : ""));
      return;
    }
    Ejection ejection = ejected.remove(backend);
    if (ejection != null) {
      add(proxy, backend, ejection, when);
    }
  }

  private void add(String proxy, String backend, Ejection ejection, long endNanos) {
    events.add(
        new Event(
            proxy,
            BACKEND_DOWN,
            ejection.sinceNanos(),
            Math.max(ejection.sinceNanos(), endNanos),
            Map.of("backend", backend, "reason", ejection.reason())));
  }

  /** All ejections; those that last still end now. */
  public synchronized List<Event> events(long nowNanos) {
    open.forEach((proxy, ejected) ->
        ejected.forEach((backend, ejection) -> add(proxy, backend, ejection, nowNanos)));
    open.clear();
    return List.copyOf(events);
  }
}
