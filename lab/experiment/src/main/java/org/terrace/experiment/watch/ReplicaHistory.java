package org.terrace.experiment.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.terrace.observation.Event;
import org.terrace.observation.Server;

/**
 * The losses and returns of databases of a cluster, from the lines that its owner prints: {@code
 * replica HOST:PORT lost|returned EPOCHNANOS REASON}. Thread-safe.
 */
public final class ReplicaHistory {
  /** A database that took no part in its cluster: from its loss to its return. */
  public static final String REPLICA_LOST = "replica-lost";

  /**
   * A database that has all that was written while it was out, and takes part again: an instant.
   */
  public static final String REPLICA_RETURNED = "replica-returned";

  /** A time in nanoseconds, of which a long holds any. */
  static final Pattern TIME = Pattern.compile("\\d{1,18}|[1-8]\\d{18}");

  private record Loss(long sinceNanos, String reason) {}

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Loss> lost = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private boolean ended;

  /** A history of the databases among these servers, in which nothing is lost. */
  public ReplicaHistory(List<Server> servers) {
    for (Server server : servers) {
      server.addresses().forEach(address -> names.put(address, server.name()));
    }
  }

  /** Whether a line says that a cluster lost a database. */
  public static boolean tellsLoss(String line) {
    String[] words = line.split(" ", 5);
    return words.length >= 4 && words[0].equals("replica") && words[2].equals("lost");
  }

  /** Takes a line that the owner of a cluster has printed; one that is cut short tells nothing. */
  public synchronized void printed(String line) {
    String[] words = line.split(" ", 5);
    if (ended || words.length < 4 || !words[0].equals("replica") || !names.containsKey(words[1])) {
      return;
    }
    if (!TIME.matcher(words[3]).matches()) {
      return;
    }
    String name = names.get(words[1]);
    long when = Long.parseLong(words[3]);
    if (words[2].equals("lost")) {
      lost.putIfAbsent(name, new Loss(when, words.length > 4 ? words[4] : ""));
      return;
    }
    Loss loss = lost.remove(name);
    if (loss != null) {
      add(name, loss, when);
    }
    events.add(new Event(name, REPLICA_RETURNED, when, when, Map.of()));
  }

  private void add(String name, Loss loss, long endNanos) {
    events.add(
        new Event(
            name,
            REPLICA_LOST,
            loss.sinceNanos(),
            Math.max(loss.sinceNanos(), endNanos),
            Map.of("reason", loss.reason())));
  }

  /**
   * All losses and returns so far; the losses that last end now, and no more are noted: what comes
   * later is the end of the servers.
   */
  public synchronized List<Event> end(long nowNanos) {
    lost.forEach((name, loss) -> add(name, loss, nowNanos));
    lost.clear();
    ended = true;
    return List.copyOf(events);
  }
}
