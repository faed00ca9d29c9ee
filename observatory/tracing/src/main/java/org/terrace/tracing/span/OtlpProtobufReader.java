package org.terrace.tracing.span;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of spans in OpenTelemetry's protobuf format: one {@code TracesData}, or any number of
 * them one after another, which is the same by the rules of protobuf. Source: {@code
 * opentelemetry-proto}, {@code trace.proto}.
 */
final class OtlpProtobufReader {
  private static final int RESOURCE_SPANS = 1;

  private final SpanList spans;

  OtlpProtobufReader(SpanList spans) {
    this.spans = spans;
  }

  /** Reads a stream, one batch of spans at a time. */
  void read(InputStream input) throws IOException {
    long offset = 0;
    for (int tag = input.read(); tag >= 0; tag = input.read()) {
      if (tag != (RESOURCE_SPANS << 3 | 2)) {
        throw new IOException(
            "byte " + offset + ": expected spans of a resource (a byte 10), got " + tag);
      }
      long length = 0;
      int size = 1;
      int each;
      do {
        each = input.read();
        if (each < 0 || size > 5) {
          throw new IOException("byte " + (offset + size) + ": expected the length of a message");
        }
        length |= (each & 0x7FL) << (7 * (size - 1));
        size++;
      } while (each >= 0x80);
      if (length > Limits.MESSAGE_BYTES_MAX) {
        throw new IOException(
            "byte %d: a batch of %d bytes; at most %d are read"
                .formatted(offset, length, Limits.MESSAGE_BYTES_MAX));
      }
      byte[] message = input.readNBytes((int) length);
      if (message.length < length) {
        throw new IOException(
            "byte %d: a batch of %d bytes, of which %d are there; the file is cut off"
                .formatted(offset, length, message.length));
      }
      resource(new ProtobufInput(ByteBuffer.wrap(message), offset + size));
      offset += size + length;
    }
  }

  private void resource(ProtobufInput message) throws IOException {
    Map<String, String> attributes = new HashMap<>();
    List<SpanDraft> drafts = new ArrayList<>();
    for (int field = message.next(); field != 0; field = message.next()) {
      switch (field) {
        case 1 -> resourceAttributes(message.message(), attributes);
        // 1000 held spans in a version of 2021.
        case 2, 1000 -> scope(message.message(), drafts);
        default -> message.skip();
      }
    }
    String service = spans.shared(Limits.cut(attributes.getOrDefault(Attributes.SERVICE, "")));
    for (SpanDraft draft : drafts) {
      draft.service = service;
      spans.add(draft);
    }
  }

  private static void resourceAttributes(ProtobufInput message, Map<String, String> attributes)
      throws IOException {
    for (int field = message.next(); field != 0; field = message.next()) {
      if (field == 1) {
        attribute(message.message(), attributes);
      } else {
        message.skip();
      }
    }
  }

  private static void scope(ProtobufInput message, List<SpanDraft> drafts) throws IOException {
    for (int field = message.next(); field != 0; field = message.next()) {
      if (field == 2) {
        drafts.add(span(message.message()));
      } else {
        message.skip();
      }
    }
  }

  private static SpanDraft span(ProtobufInput message) throws IOException {
    SpanDraft span = new SpanDraft();
    Map<String, String> attributes = new HashMap<>();
    for (int field = message.next(); field != 0; field = message.next()) {
      switch (field) {
        case 1 -> span.traceId = Identifiers.plain(message.hex());
        case 2 -> span.spanId = Identifiers.plain(message.hex());
        case 4 -> span.parent(Identifiers.plain(message.hex()));
        case 5 -> span.name(message.text());
        case 6 -> span.side = OtlpJsonReader.side(message.whole());
        case 7 -> span.start(message.whole());
        case 8 -> span.end(message.whole());
        case 9 -> attribute(message.message(), attributes);
        case 15 -> span.failed = isError(message.message());
        default -> message.skip();
      }
    }
    attributes.forEach(span::attribute);
    return span;
  }

  private static boolean isError(ProtobufInput status) throws IOException {
    boolean error = false;
    for (int field = status.next(); field != 0; field = status.next()) {
      if (field == 3) {
        error = status.whole() == 2;
      } else {
        status.skip();
      }
    }
    return error;
  }

  private static void attribute(ProtobufInput pair, Map<String, String> attributes)
      throws IOException {
    String key = "";
    String value = "";
    for (int field = pair.next(); field != 0; field = pair.next()) {
      switch (field) {
        case 1 -> key = pair.text();
        case 2 -> value = value(pair.message());
        default -> pair.skip();
      }
    }
    if (Attributes.isKept(key) || key.equals(Attributes.SERVICE)) {
      attributes.put(key, value);
    }
  }

  /** A text, boolean or number as text; empty for a list. */
  private static String value(ProtobufInput message) throws IOException {
    String value = "";
    for (int field = message.next(); field != 0; field = message.next()) {
      switch (field) {
        case 1 -> value = message.text();
        case 2 -> value = String.valueOf(message.whole() != 0);
        case 3 -> value = String.valueOf(message.whole());
        case 4 -> value = String.valueOf(message.decimal());
        default -> message.skip();
      }
    }
    return value;
  }
}
