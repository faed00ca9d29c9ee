package org.terrace.protocols;

import java.util.ArrayList;
import java.util.List;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.wire.statistics.WireStatistics;

/**
 * The result of reading a capture, beside its requests. Immutable.
 *
 * @param servers the servers that had requests, in order from the users to the database
 * @param statistics what was read and what was lost
 * @param samples the bytes each server received and sent a second, sorted by time
 * @param events what the packets tell of the servers' hosts and of the capture itself: {@code
 *     host-silent} and {@code capture-loss}
 * @param notes what was not decrypted, by name: a sentence each
 */
public record ReadResult(
    List<Server> servers,
    WireStatistics statistics,
    List<Sample> samples,
    List<Event> events,
    List<String> notes) {
  /** The resource of samples of bytes received. */
  public static final String RECEIVED = "network-receive-bytes-per-second";

  /** The resource of samples of bytes sent. */
  public static final String SENT = "network-send-bytes-per-second";

  /** Copies the lists. */
  public ReadResult {
    servers = List.copyOf(servers);
    samples = List.copyOf(samples);
    events = List.copyOf(events);
    notes = List.copyOf(notes);
  }

  /** All that makes the results less complete or less exact, a sentence each. */
  public List<String> losses() {
    List<String> losses = new ArrayList<>(statistics.losses());
    losses.addAll(notes);
    return losses;
  }
}
