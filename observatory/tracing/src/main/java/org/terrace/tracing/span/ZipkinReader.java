package org.terrace.tracing.span;

import java.io.IOException;

/**
 * A reader of spans in Zipkin's second format: an array of spans, or of arrays of them as its
 * interface answers. Times are microseconds. Source: {@code zipkin2-api.yaml}.
 */
final class ZipkinReader {
  private final JsonInput json;
  private final SpanList spans;

  ZipkinReader(JsonInput json, SpanList spans) {
    this.json = json;
    this.spans = spans;
  }

  /** Reads an array. */
  void array() throws IOException {
    json.array(() -> {
      if (json.atArray()) {
        json.array(this::span);
      } else {
        span();
      }
    });
  }

  private void span() throws IOException {
    SpanDraft span = new SpanDraft();
    long[] times = {0, 0};
    String[] remote = {""};
    json.object(field -> {
      switch (field) {
        case "traceId" -> span.traceId = Identifiers.plain(json.text());
        case "id" -> span.spanId = Identifiers.plain(json.text());
        case "parentId" -> span.parent(Identifiers.plain(json.text()));
        case "name" -> span.name(json.text());
        case "kind" -> span.side = SpanDraft.side(json.text());
        case "timestamp" -> times[0] = json.micros();
        case "duration" -> times[1] = json.micros();
        case "localEndpoint" -> span.service = spans.shared(endpoint());
        case "remoteEndpoint" -> remote[0] = endpoint();
        case "tags" -> tags(span);
        default -> {}
      }
    });
    if (times[0] > 0 && times[1] > 0) {
      span.start(times[0]);
      span.end(times[0] + times[1]);
    }
    if (!remote[0].isEmpty()) {
      String key = span.side.answers() ? Attributes.CALLER : "peer.service";
      span.attribute(key, remote[0]);
    }
    spans.add(span);
  }

  /** The name of an endpoint, or else its address. */
  private String endpoint() throws IOException {
    String[] name = {"", ""};
    if (json.isNull()) {
      return "";
    }
    json.object(field -> {
      switch (field) {
        case "serviceName" -> name[0] = Limits.cut(json.text());
        case "ipv4", "ipv6" -> name[1] = Limits.cut(json.text());
        default -> {}
      }
    });
    return name[0].isEmpty() ? name[1] : name[0];
  }

  private void tags(SpanDraft span) throws IOException {
    json.object(key -> {
      if (Attributes.isKept(key)) {
        span.attribute(key, json.text());
        // The value of the tag "error" is a message, which may be empty.
        span.failed |= key.equals(Attributes.ERROR);
      }
    });
  }
}
