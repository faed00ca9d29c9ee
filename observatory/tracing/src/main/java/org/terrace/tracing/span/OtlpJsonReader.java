package org.terrace.tracing.span;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.tracing.span.Span.Side;

/**
 * A reader of spans in OpenTelemetry's JSON: one object, or one a line as its collector writes
 * them. Source: the OTLP specification and {@code opentelemetry-proto}, {@code trace.proto}.
 */
final class OtlpJsonReader {
  private static final Side[] SIDES = {
    Side.UNTOLD, Side.INTERNAL, Side.SERVER, Side.CLIENT, Side.PRODUCER, Side.CONSUMER
  };
  private static final long ERROR_CODE = 2;

  private final JsonInput json;
  private final SpanList spans;

  OtlpJsonReader(JsonInput json, SpanList spans) {
    this.json = json;
    this.spans = spans;
  }

  /** Reads the value of a field {@code resourceSpans}. */
  void resourceSpans() throws IOException {
    json.array(this::resource);
  }

  private void resource() throws IOException {
    Map<String, String> attributes = new HashMap<>();
    List<SpanDraft> drafts = new ArrayList<>();
    json.object(field -> {
      switch (field) {
        case "resource" ->
            json.object(name -> {
              if (name.equals("attributes")) {
                attributes(attributes);
              }
            });
        case "scopeSpans", "instrumentationLibrarySpans" -> json.array(() -> scope(drafts));
        default -> {}
      }
    });
    String service = spans.shared(Limits.cut(attributes.getOrDefault(Attributes.SERVICE, "")));
    for (SpanDraft draft : drafts) {
      draft.service = service;
      spans.add(draft);
    }
  }

  private void scope(List<SpanDraft> drafts) throws IOException {
    json.object(field -> {
      if (field.equals("spans")) {
        json.array(() -> drafts.add(span()));
      }
    });
  }

  private SpanDraft span() throws IOException {
    SpanDraft span = new SpanDraft();
    Map<String, String> attributes = new HashMap<>();
    json.object(field -> {
      switch (field) {
        case "traceId" -> span.traceId = Identifiers.plain(json.text());
        case "spanId" -> span.spanId = Identifiers.plain(json.text());
        case "parentSpanId" -> span.parent(Identifiers.plain(json.text()));
        case "name" -> span.name(json.text());
        case "kind" -> span.side = side(json.text());
        case "startTimeUnixNano" -> span.start(json.whole());
        case "endTimeUnixNano" -> span.end(json.whole());
        case "attributes" -> attributes(attributes);
        case "status" -> status(span);
        default -> {}
      }
    });
    attributes.forEach(span::attribute);
    return span;
  }

  private void status(SpanDraft span) throws IOException {
    if (json.isNull()) {
      return;
    }
    json.object(field -> {
      if (field.equals("code")) {
        String code = json.text();
        span.failed = code.equals("STATUS_CODE_ERROR") || code.equals("" + ERROR_CODE);
      }
    });
  }

  /** The attributes whose value is a text, number or boolean. */
  private void attributes(Map<String, String> attributes) throws IOException {
    json.array(() -> {
      String[] pair = {"", ""};
      json.object(field -> {
        switch (field) {
          case "key" -> pair[0] = json.text();
          case "value" -> pair[1] = value();
          default -> {}
        }
      });
      if (Attributes.isKept(pair[0]) || pair[0].equals(Attributes.SERVICE)) {
        attributes.put(pair[0], pair[1]);
      }
    });
  }

  private String value() throws IOException {
    String[] value = {""};
    if (json.atObject()) {
      json.object(type -> {
        switch (type) {
          case "stringValue", "intValue", "boolValue", "doubleValue" -> value[0] = json.text();
          default -> {}
        }
      });
    }
    return value[0];
  }

  private static Side side(String kind) {
    return kind.length() == 1 && kind.charAt(0) >= '0' && kind.charAt(0) - '0' < SIDES.length
        ? SIDES[kind.charAt(0) - '0']
        : SpanDraft.side(kind);
  }

  /** The side of a number of the field {@code kind}. */
  static Side side(long kind) {
    return kind >= 0 && kind < SIDES.length ? SIDES[(int) kind] : Side.UNTOLD;
  }

  /** The number of a side. */
  static int kind(Side side) {
    return List.of(SIDES).indexOf(side);
  }
}
