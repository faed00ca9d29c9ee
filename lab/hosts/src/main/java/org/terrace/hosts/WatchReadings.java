package org.terrace.hosts;

import java.util.Collections;
import java.util.List;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;

/**
 * The readings of a watch. Immutable.
 *
 * @param samples what servers and machine used, in a list that does not change
 * @param events the stretches in which servers were held back
 * @param warnings what could not be done, a sentence each
 * @param lost what was not read to the end or not kept, a sentence each: what follows from the rest
 *     may be wrong
 * @param limitsLost the limits of processor time that did not hold to the end, a sentence each
 * @param cost what it took to read this
 */
public record WatchReadings(
    List<Sample> samples,
    List<Event> events,
    List<String> warnings,
    List<String> lost,
    List<String> limitsLost,
    MonitorCost cost) {
  /** Copies the collections but the samples, of which an agent has no room for a second list. */
  public WatchReadings {
    samples = Collections.unmodifiableList(samples);
    events = List.copyOf(events);
    warnings = List.copyOf(warnings);
    lost = List.copyOf(lost);
    limitsLost = List.copyOf(limitsLost);
  }
}
