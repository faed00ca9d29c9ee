package org.terrace.tracing.span;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of spans in the JSON of Jaeger's interface and of its page's download: traces with spans
 * and the processes that they name. Times are microseconds. Source: Jaeger's {@code model/json}.
 */
final class JaegerReader {
  private final JsonInput json;
  private final SpanList spans;

  /** A span, and the name of its process within its trace. */
  private record Unnamed(SpanDraft span, String process) {}

  JaegerReader(JsonInput json, SpanList spans) {
    this.json = json;
    this.spans = spans;
  }

  /** Reads the value of a field {@code data}. */
  void data() throws IOException {
    json.array(this::trace);
  }

  private void trace() throws IOException {
    List<Unnamed> unnamed = new ArrayList<>();
    Map<String, String> services = new HashMap<>();
    json.object(field -> {
      switch (field) {
        case "spans" -> json.array(() -> add(unnamed));
        case "processes" -> json.object(process -> services.put(process, service()));
        default -> {}
      }
    });
    for (Unnamed each : unnamed) {
      if (each.span.service == null) {
        each.span.service = services.get(each.process);
      }
      spans.add(each.span);
    }
  }

  private void add(List<Unnamed> unnamed) throws IOException {
    if (unnamed.size() >= Limits.TRACE_SPANS_MAX) {
      throw json.expected("at most " + Limits.TRACE_SPANS_MAX + " spans in one trace");
    }
    SpanDraft span = new SpanDraft();
    String[] process = {""};
    long[] times = {0, 0};
    json.object(field -> {
      switch (field) {
        case "traceID" -> span.traceId = Identifiers.plain(json.text());
        case "spanID" -> span.spanId = Identifiers.plain(json.text());
        case "parentSpanID" -> span.parent(Identifiers.plain(json.text()));
        case "operationName" -> span.name(json.text());
        case "references" -> references(span);
        case "startTime" -> times[0] = json.micros();
        case "duration" -> times[1] = json.micros();
        case "tags" -> tags(span);
        case "processID" -> process[0] = json.text();
        case "process" -> span.service = service();
        default -> {}
      }
    });
    // A span of no microseconds is one: the format has no "unfinished".
    if (times[0] > 0 && times[1] >= 0) {
      span.start(times[0]);
      span.end(times[0] + times[1]);
    }
    unnamed.add(new Unnamed(span, process[0]));
  }

  /** Takes the first parent within the same trace; one that is waited for before others. */
  private void references(SpanDraft span) throws IOException {
    String[] chosen = {null, ""};
    json.array(() -> {
      String[] reference = {"", "", ""};
      json.object(field -> {
        switch (field) {
          case "refType" -> reference[0] = json.text();
          case "traceID" -> reference[1] = Identifiers.plain(json.text());
          case "spanID" -> reference[2] = Identifiers.plain(json.text());
          default -> {}
        }
      });
      boolean same = span.traceId == null || reference[1].equals(span.traceId);
      boolean better = chosen[1].isEmpty() || betterThan(chosen[0], reference[0]);
      if (same && better) {
        chosen[0] = reference[0];
        chosen[1] = reference[2];
      }
    });
    if (!chosen[1].isEmpty()) {
      span.parent(chosen[1]);
    }
  }

  private static boolean betterThan(@Nullable String type, String other) {
    return other.equals("CHILD_OF") && !"CHILD_OF".equals(type);
  }

  private String service() throws IOException {
    String[] name = {""};
    if (!json.isNull()) {
      json.object(field -> {
        if (field.equals("serviceName")) {
          name[0] = spans.shared(Limits.cut(json.text()));
        }
      });
    }
    return name[0];
  }

  private void tags(SpanDraft span) throws IOException {
    json.array(() -> {
      String[] tag = {"", ""};
      json.object(field -> {
        switch (field) {
          case "key" -> tag[0] = json.text();
          case "value" -> tag[1] = json.atObject() || json.atArray() ? "" : json.text();
          default -> {}
        }
      });
      span.attribute(tag[0], tag[1]);
    });
  }
}
