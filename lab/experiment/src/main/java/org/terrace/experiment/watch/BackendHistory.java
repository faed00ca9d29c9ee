package org.terrace.experiment.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.terrace.observation.Event;

/**
 * The times in which reverse proxies passed over a server, from the lines they print: {@code
 * backend NAME down|up EPOCHNANOS REASON}. Any other server prints such words about something else.
 * Thread-safe.
 */
public final class BackendHistory {
  /** A proxy sends nothing to a server: from its ejection to its admission. */
  public static final String BACKEND_DOWN = "backend-down";

  private static final String DOWN = "down";
  private static final String UP = "up";

  private record Ejection(long sinceNanos, String reason) {}

  private final Set<String> proxies;
  private final Map<String, Map<String, Ejection>> open = new HashMap<>();
  private final List<Event> events = new ArrayList<>();

  /**
   * A history in which no proxy passes over a server yet.
   *
   * @param proxies the names of the servers that are Terrace's reverse proxies
   */
  public BackendHistory(Set<String> proxies) {
    this.proxies = Set.copyOf(proxies);
  }

  /** Whether a line that a server has printed says that a proxy passes over a server. */
  public boolean tellsLoss(String server, String line) {
    String[] words = words(server, line);
    return words.length > 0 && words[2].equals(DOWN);
  }

  /**
   * Takes a line that a server has printed; one that is no proxy's, or cut short, tells nothing.
   */
  public synchronized void printed(String server, String line) {
    String[] words = words(server, line);
    if (words.length == 0) {
      return;
    }
    String backend = words[1];
    long when = Long.parseLong(words[3]);
    Map<String, Ejection> ejected = open.computeIfAbsent(server, name -> new HashMap<>());
    if (words[2].equals(DOWN)) {
      ejected.put(backend, new Ejection(when, words.length > 4 ? words[4] : ""));
      return;
    }
    Ejection ejection = ejected.remove(backend);
    if (ejection != null) {
      add(server, backend, ejection, when);
    }
  }

  /** The words of a line about a backend; none where it is not one that a proxy prints. */
  private String[] words(String server, String line) {
    String[] words = line.split(" ", 5);
    boolean isSaid =
        proxies.contains(server)
            && words.length >= 4
            && words[0].equals("backend")
            && (words[2].equals(DOWN) || words[2].equals(UP))
            && ReplicaHistory.TIME.matcher(words[3]).matches();
    return isSaid ? words : new String[0];
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
