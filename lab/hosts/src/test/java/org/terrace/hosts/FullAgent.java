package org.terrace.hosts;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.nodes.monitor.KeptSamples;
import org.terrace.nodes.monitor.ReadingRoom;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;

/** A process whose monitors have filled their room, and which hands all of it over. */
final class FullAgent {
  private static final String PART_OF_EVENTS = "events";

  private FullAgent() {}

  /**
   * Fills the room, and prints how many samples and events there were and were handed over.
   *
   * @param arguments the kind of reading that it is filled with, {@code samples} or {@code events}
   */
  public static void main(String[] arguments) {
    ReadingRoom room = ReadingRoom.ofHeap();
    KeptSamples samples = new KeptSamples(room);
    KeptEvents events = new KeptEvents(room);
    boolean isOfEvents = arguments[0].equals(PART_OF_EVENTS);
    SplittableRandom random = new SplittableRandom(1);
    for (long at = 0; samples.leftOut() + events.leftOut() == 0; at++) {
      if (isOfEvents) {
        events.add(event(at, random));
      } else {
        // Each name is another text, as one that was just read from a file is.
        samples.add(new Sample("app" + at % 5, "a-resource-" + at % 20, at, random.nextDouble()));
      }
    }
    WatchReadings whole =
        new WatchReadings(
            samples.list(),
            events.list(),
            List.of(),
            List.of("some"),
            List.of("more"),
            MonitorCost.NONE);
    System.out.println(whole.samples().size() + " " + whole.events().size() + " " + told(whole));
  }

  /** The number of readings on all pages, of which each is one message. */
  private static int told(WatchReadings whole) {
    int told = 0;
    for (int page = 0; ; page++) {
      WatchReadings part = AgentResults.page(whole, page);
      int length = AgentMessages.JSON.valueToTree(part).toString().length();
      if (length > AgentMessages.LONGEST) {
        throw new IllegalStateException("a page of " + length + " characters");
      }
      int readings = part.samples().size() + part.events().size();
      if (readings == 0) {
        return told;
      }
      told += readings;
    }
  }

  private static Event event(long at, SplittableRandom random) {
    return new Event(
        "app1",
        EventKinds.CPU_THROTTLED,
        at,
        at + 1,
        Map.of(
            "withheldNanos",
            Long.toString(random.nextLong(1_000_000_000L, 2_000_000_000L)),
            "throttledPeriods",
            Long.toString(random.nextLong(10, 99)),
            EventKinds.PERIOD_MICROS,
            Long.toString(100_000 + random.nextLong(2))));
  }
}
