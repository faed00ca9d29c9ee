package org.terrace.evidence;

import java.util.List;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;

/**
 * The content of one file about a server or a host. Immutable.
 *
 * @param events what happened, in the file's order
 * @param samples readings of resources; empty for logs
 * @param summary what the file was taken for, how much it tells, and by which clock, in one line
 * @param notes what was assumed, passed over or cannot be told, a sentence each
 */
public record Evidence(
    List<Event> events, List<Sample> samples, String summary, List<String> notes) {

  /** Copies the lists. */
  public Evidence {
    events = List.copyOf(events);
    samples = List.copyOf(samples);
    notes = List.copyOf(notes);
  }
}
