package org.terrace.tracing.span;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HexFormat;
import org.terrace.observation.RequestTable;

/** Requests as OpenTelemetry's {@code TracesData}, with the spans of a server in batches. */
final class OtlpProtobufWriter implements SpanWriter {
  /** The number of spans whose bytes stay far below what readers take for one batch. */
  private static final int BATCH_SPANS = 10_000;

  @Override
  public void write(RequestTable requests, OutputStream output) throws IOException {
    RequestSpans spans = new RequestSpans(requests);
    for (String server : requests.servers()) {
      int[] rows = requests.rowsOf(server);
      for (int from = 0; from < rows.length; from += BATCH_SPANS) {
        ProtobufOutput scope =
            new ProtobufOutput().message(1, new ProtobufOutput().text(1, "terrace"));
        for (int i = from; i < Math.min(rows.length, from + BATCH_SPANS); i++) {
          scope.message(2, span(spans.span(rows[i])));
        }
        ProtobufOutput batch =
            new ProtobufOutput()
                .message(1, new ProtobufOutput().message(1, attribute(Attributes.SERVICE, server)))
                .message(2, scope);
        output.write(new ProtobufOutput().message(1, batch).toByteArray());
      }
    }
  }

  private static ProtobufOutput span(Span span) {
    ProtobufOutput message =
        new ProtobufOutput()
            .bytes(1, HexFormat.of().parseHex(span.traceId()))
            .bytes(2, HexFormat.of().parseHex(span.spanId()));
    String parentId = span.parentId();
    if (parentId != null) {
      message.bytes(4, HexFormat.of().parseHex(parentId));
    }
    message
        .text(5, span.name())
        .varint(6, OtlpJsonReader.kind(span.side()))
        .fixed64(7, span.startNanos())
        .fixed64(8, span.endNanos());
    span.attributes().forEach((key, value) -> message.message(9, attribute(key, value)));
    return span.failed() ? message.message(15, new ProtobufOutput().varint(3, 2)) : message;
  }

  private static ProtobufOutput attribute(String key, String value) {
    return new ProtobufOutput().text(1, key).message(2, new ProtobufOutput().text(1, value));
  }
}
