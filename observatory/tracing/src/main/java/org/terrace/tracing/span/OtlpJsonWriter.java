package org.terrace.tracing.span;

import java.io.OutputStream;
import org.terrace.observation.RequestTable;
import tools.jackson.core.JsonGenerator;

/** Requests as OpenTelemetry's JSON: one object, with the spans of each server together. */
final class OtlpJsonWriter implements SpanWriter {
  @Override
  public void write(RequestTable requests, OutputStream output) {
    RequestSpans spans = new RequestSpans(requests);
    try (JsonGenerator json = JsonOutput.to(output)) {
      json.writeStartObject().writeArrayPropertyStart("resourceSpans");
      for (String server : requests.servers()) {
        int[] rows = requests.rowsOf(server);
        if (rows.length == 0) {
          continue;
        }
        json.writeStartObject().writeObjectPropertyStart("resource");
        json.writeArrayPropertyStart("attributes");
        attribute(json, Attributes.SERVICE, server);
        json.writeEndArray().writeEndObject();
        json.writeArrayPropertyStart("scopeSpans").writeStartObject();
        json.writeObjectPropertyStart("scope").writeStringProperty("name", "terrace");
        json.writeEndObject().writeArrayPropertyStart("spans");
        for (int row : rows) {
          span(json, spans.span(row));
        }
        json.writeEndArray().writeEndObject().writeEndArray().writeEndObject();
      }
      json.writeEndArray().writeEndObject();
    }
  }

  private static void span(JsonGenerator json, Span span) {
    json.writeStartObject();
    json.writeStringProperty("traceId", span.traceId());
    json.writeStringProperty("spanId", span.spanId());
    String parentId = span.parentId();
    if (parentId != null) {
      json.writeStringProperty("parentSpanId", parentId);
    }
    json.writeStringProperty("name", span.name());
    json.writeNumberProperty("kind", OtlpJsonReader.kind(span.side()));
    json.writeStringProperty("startTimeUnixNano", String.valueOf(span.startNanos()));
    json.writeStringProperty("endTimeUnixNano", String.valueOf(span.endNanos()));
    json.writeArrayPropertyStart("attributes");
    span.attributes().forEach((key, value) -> attribute(json, key, value));
    json.writeEndArray();
    if (span.failed()) {
      json.writeObjectPropertyStart("status").writeNumberProperty("code", 2).writeEndObject();
    }
    json.writeEndObject();
  }

  private static void attribute(JsonGenerator json, String key, String value) {
    json.writeStartObject().writeStringProperty("key", key);
    json.writeObjectPropertyStart("value").writeStringProperty("stringValue", value);
    json.writeEndObject().writeEndObject();
  }
}
