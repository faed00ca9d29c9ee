package org.terrace.tracing.span;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.terrace.observation.RequestTable;
import tools.jackson.core.JsonGenerator;

/**
 * Requests as the JSON of trace events, which Perfetto and Chromium open: a process for each
 * server, in it as many lanes as requests were there together, and an arrow for each call. Times
 * count from the first request, in microseconds with three digits behind the point.
 */
final class PerfettoWriter implements SpanWriter {
  @Override
  public void write(RequestTable requests, OutputStream output) {
    RequestSpans spans = new RequestSpans(requests);
    int[] lanes = lanes(requests);
    long origin = requests.size() == 0 ? 0 : requests.arrivalNanos(0);
    try (JsonGenerator json = JsonOutput.to(output)) {
      json.writeStartObject().writeStringProperty("displayTimeUnit", "ms");
      json.writeObjectPropertyStart("otherData");
      json.writeStringProperty("originNanos", String.valueOf(origin)).writeEndObject();
      json.writeArrayPropertyStart("traceEvents");
      for (int server = 0; server < requests.servers().size(); server++) {
        event(json, "M", "process_name", server, 0);
        json.writeObjectPropertyStart("args");
        json.writeStringProperty("name", requests.servers().get(server)).writeEndObject();
        json.writeEndObject();
      }
      for (int row = 0; row < requests.size(); row++) {
        slice(json, requests, spans.span(row), row, lanes, origin);
        int parent = spans.parentRow(row);
        if (parent >= 0) {
          long at = requests.arrivalNanos(row);
          arrow(json, "s", requests, parent, row, lanes, at - origin);
          arrow(json, "f", requests, row, row, lanes, at - origin);
        }
      }
      json.writeEndArray().writeEndObject();
    }
  }

  private static void slice(
      JsonGenerator json, RequestTable requests, Span span, int row, int[] lanes, long origin) {
    event(json, "X", span.name(), requests.server(row), lanes[row]);
    json.writeName("ts").writeNumber(micros(span.startNanos() - origin));
    json.writeName("dur").writeNumber(micros(span.endNanos() - span.startNanos()));
    json.writeObjectPropertyStart("args").writeStringProperty("trace", span.traceId());
    span.attributes().forEach(json::writeStringProperty);
    json.writeEndObject().writeEndObject();
  }

  private static void arrow(
      JsonGenerator json,
      String phase,
      RequestTable requests,
      int row,
      int id,
      int[] lanes,
      long nanos) {
    event(json, phase, "call", requests.server(row), lanes[row]);
    json.writeStringProperty("cat", "call").writeNumberProperty("id", id);
    // An arrow ends at the slice around it, not at the one after it.
    json.writeStringProperty("bp", "e").writeName("ts").writeNumber(micros(nanos));
    json.writeEndObject();
  }

  private static void event(JsonGenerator json, String phase, String name, int server, int lane) {
    json.writeStartObject().writeStringProperty("ph", phase).writeStringProperty("name", name);
    json.writeNumberProperty("pid", server + 1).writeNumberProperty("tid", lane + 1);
  }

  private static String micros(long nanos) {
    return nanos / 1_000 + "." + "%03d".formatted(Math.floorMod(nanos, 1_000L));
  }

  /** The lane of each row, such that the requests of a lane do not overlap. */
  private static int[] lanes(RequestTable requests) {
    List<List<Long>> ends = new ArrayList<>();
    requests.servers().forEach(server -> ends.add(new ArrayList<>()));
    int[] lanes = new int[requests.size()];
    for (int row = 0; row < requests.size(); row++) {
      List<Long> busy = ends.get(requests.server(row));
      int lane = 0;
      while (lane < busy.size() && busy.get(lane) > requests.arrivalNanos(row)) {
        lane++;
      }
      if (lane == busy.size()) {
        busy.add(0L);
      }
      busy.set(lane, requests.departureNanos(row));
      lanes[row] = lane;
    }
    return lanes;
  }
}
