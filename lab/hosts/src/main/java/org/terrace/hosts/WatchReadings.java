package org.terrace.hosts;

import java.util.List;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;

/**
 * The readings of a watch. Immutable.
 *
 * @param samples what servers and machine used
 * @param events the stretches in which servers were held back
 * @param warnings what could not be done, a sentence each
 * @param cost what it took to read this
 */
public record WatchReadings(
    List<Sample> samples, List<Event> events, List<String> warnings, MonitorCost cost) {
  /** Copies the collections. */
  public WatchReadings {
    samples = List.copyOf(samples);
    events = List.copyOf(events);
    warnings = List.copyOf(warnings);
  }
}
