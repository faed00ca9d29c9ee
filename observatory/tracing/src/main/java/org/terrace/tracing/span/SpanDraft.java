package org.terrace.tracing.span;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.tracing.span.Span.Side;

/** A span that is being read, field by field. Confined to one thread. */
final class SpanDraft {
  /** The value of a time that was not given. */
  private static final long ABSENT = Long.MIN_VALUE;

  final Map<String, String> attributes = new HashMap<>();
  @Nullable String traceId;
  @Nullable String spanId;
  @Nullable String parentId;
  Side side = Side.UNTOLD;
  @Nullable String service;
  String name = "unknown";
  boolean failed;
  private long startNanos = ABSENT;
  private long endNanos = ABSENT;

  void identifiers(@Nullable String trace, @Nullable String span) {
    traceId = trace;
    spanId = span;
  }

  void name(String text) {
    if (!text.isBlank()) {
      name = Limits.cut(text);
    }
  }

  /** Sets the parent; an empty or all-zero identifier is none. */
  void parent(String id) {
    parentId = id.isEmpty() || id.chars().allMatch(c -> c == '0') ? null : id;
  }

  void start(long nanos) {
    startNanos = nanos;
  }

  void end(long nanos) {
    endNanos = nanos;
  }

  boolean hasTimes() {
    return startNanos > 0 && endNanos > 0;
  }

  void attribute(String key, String value) {
    if (Attributes.isKept(key)) {
      attributes.put(key, Limits.cut(value));
    }
  }

  /** The span; null if it lacks an identifier or a time, as one that has not ended does. */
  @Nullable Span build() {
    String trace = traceId;
    String span = spanId;
    if (trace == null || trace.isEmpty() || span == null || span.isEmpty() || !hasTimes()) {
      return null;
    }
    String by = service;
    return new Span(
        trace,
        span,
        parentId,
        side(),
        by == null || by.isBlank() ? "unknown" : by,
        name,
        startNanos,
        Math.max(startNanos, endNanos),
        failed || isError(),
        attributes);
  }

  private Side side() {
    String told = attributes.get(Attributes.KIND);
    return side == Side.UNTOLD && told != null ? side(told) : side;
  }

  private boolean isError() {
    String error = attributes.get(Attributes.ERROR);
    return (error != null && !error.equalsIgnoreCase("false"))
        || "ERROR".equals(attributes.get(Attributes.STATUS));
  }

  /** The side of a name such as {@code server} or {@code SPAN_KIND_SERVER}. */
  static Side side(String told) {
    return switch (told.toUpperCase(Locale.ROOT).replace("SPAN_KIND_", "")) {
      case "INTERNAL", "LOCAL" -> Side.INTERNAL;
      case "SERVER" -> Side.SERVER;
      case "CLIENT" -> Side.CLIENT;
      case "PRODUCER" -> Side.PRODUCER;
      case "CONSUMER" -> Side.CONSUMER;
      default -> Side.UNTOLD;
    };
  }
}
