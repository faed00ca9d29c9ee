package org.terrace.tracing.span;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of files of traces, each with the endings of the names that it is written under. */
public enum TraceFormat {
  /** OpenTelemetry's JSON. */
  OTLP(".otlp.json"),
  /** OpenTelemetry's protobuf. */
  OTLP_PROTOBUF(".otlp.pb"),
  /** The JSON of Jaeger's page. */
  JAEGER(".jaeger.json"),
  /** Zipkin's second format. */
  ZIPKIN(".zipkin.json"),
  /** Trace events, which Perfetto opens; written only. */
  PERFETTO(".perfetto.json");

  private final String ending;

  TraceFormat(String ending) {
    this.ending = ending;
  }

  /** The ending of the names of such files, with its dots. */
  public String ending() {
    return ending;
  }

  SpanWriter writer() {
    return switch (this) {
      case OTLP -> new OtlpJsonWriter();
      case OTLP_PROTOBUF -> new OtlpProtobufWriter();
      case JAEGER -> new JaegerWriter();
      case ZIPKIN -> new ZipkinWriter();
      case PERFETTO -> new PerfettoWriter();
    };
  }

  /** The format that the name of a file asks for; null if it asks for none. */
  public static @Nullable TraceFormat ofName(String name) {
    for (TraceFormat format : values()) {
      if (name.toLowerCase(Locale.ROOT).endsWith(format.ending)) {
        return format;
      }
    }
    return null;
  }
}
