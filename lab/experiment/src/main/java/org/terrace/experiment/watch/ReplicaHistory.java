package org.terrace.experiment.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.terrace.observation.Event;
import org.terrace.observation.Server;

/**
 * The losses and returns of databases of a cluster, from the lines that its owner prints: {@code
 * replica HOST:PORT lost|returned EPOCHNANOS REASON}. Any other server prints such words about
 * something else. Thread-safe.
 */
public final class ReplicaHistory {
  /** A database that took no part in its cluster: from its loss to its return. */
  public static final String REPLICA_LOST = "replica-lost";

  /**
   * A database that has all that was written while it was out, and takes part again: an instant.
   */
  public static final String REPLICA_RETURNED = "replica-returned";

  private static final String LOST = "lost";
  private static final String RETURNED = "returned";

  /** A time in nanoseconds, of which a long holds any. */
  static final Pattern TIME = Pattern.compile("\\d{1,18}|[1-8]\\d{18}");

  private record Loss(long sinceNanos, String reason) {}

  private final Set<String> owners;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Loss> lost = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private boolean ended;

  /**
   * A history of the databases among these servers, in which nothing is lost.
   *
   * @param owners the names of the servers that own the databases' cluster
   */
  public ReplicaHistory(List<Server> servers, Set<String> owners) {
    this.owners = Set.copyOf(owners);
    for (Server server : servers) {
      server.addresses().forEach(address -> names.put(address, server.name()));
    }
  }

  /** Whether a line that a server has printed says that a cluster lost a database. */
  public boolean tellsLoss(String server, String line) {
    String[] words = words(server, line);
    return words.length > 0 && words[2].equals(LOST);
  }

  /**
   * Takes a line that a server has printed; one that is no owner's, or cut short, tells nothing.
   */
  public synchronized void printed(String server, String line) {
    String[] words = words(server, line);
    if (ended || words.length == 0) {
      return;
    }
    String name = Objects.requireNonNull(names.get(words[1]));
    long when = Long.parseLong(words[3]);
    if (words[2].equals(LOST)) {
      lost.putIfAbsent(name, new Loss(when, words.length > 4 ? words[4] : ""));
      return;
    }
    Loss loss = lost.remove(name);
    if (loss != null) {
      add(name, loss, when);
    }
    events.add(new Event(name, REPLICA_RETURNED, when, when, Map.of()));
  }

  /** The words of a line about a database; none where it is not one that an owner prints. */
  private String[] words(String server, String line) {
    String[] words = line.split(" ", 5);
    boolean isSaid =
        owners.contains(server)
            && words.length >= 4
            && words[0].equals("replica")
            && names.containsKey(words[1])
            && (words[2].equals(LOST) || words[2].equals(RETURNED))
            && TIME.matcher(words[3]).matches();
    return isSaid ? words : new String[0];
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
