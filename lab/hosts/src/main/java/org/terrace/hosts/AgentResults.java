package org.terrace.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;
import tools.jackson.databind.JsonNode;

/** The readings of a watch on a host, which come in pages. Stateless. */
final class AgentResults {
  /** The most samples and events of a page. */
  static final int PAGE = 4_000;

  private AgentResults() {}

  /** One page of a result. */
  static WatchReadings page(WatchReadings whole, int number) {
    return new WatchReadings(
        part(whole.samples(), number),
        part(whole.events(), number),
        number == 0 ? whole.warnings() : List.of(),
        number == 0 ? whole.lost() : List.of(),
        number == 0 ? whole.limitsLost() : List.of(),
        number == 0 ? whole.cost() : MonitorCost.NONE);
  }

  private static <T> List<T> part(List<T> all, int number) {
    long from = Math.min(all.size(), (long) number * PAGE);
    long to = Math.min(all.size(), from + PAGE);
    return all.subList((int) from, (int) to);
  }

  /** Reads all pages of the watch of a number. */
  static WatchReadings read(Function<Map<String, Object>, JsonNode> call, int number) {
    List<Sample> samples = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    List<String> limitsLost = new ArrayList<>();
    MonitorCost cost = MonitorCost.NONE;
    for (int page = 0; ; page++) {
      WatchReadings part =
          AgentMessages.JSON.treeToValue(
              call.apply(Map.of("number", number, "page", page)), WatchReadings.class);
      samples.addAll(part.samples());
      events.addAll(part.events());
      warnings.addAll(part.warnings());
      lost.addAll(part.lost());
      limitsLost.addAll(part.limitsLost());
      cost = cost.and(part.cost());
      if (part.samples().size() < PAGE && part.events().size() < PAGE) {
        return new WatchReadings(samples, events, warnings, lost, limitsLost, cost);
      }
    }
  }

  /** The same by the clock of this machine. */
  static WatchReadings shifted(WatchReadings result, HostClock clock) {
    List<Sample> samples =
        result.samples().stream()
            .map(each ->
                new Sample(
                    each.node(), each.resource(), clock.here(each.timeNanos()), each.value()))
            .toList();
    return new WatchReadings(
        samples,
        result.events().stream().map(clock::here).toList(),
        result.warnings(),
        result.lost(),
        result.limitsLost(),
        result.cost());
  }
}
