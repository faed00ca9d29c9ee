package org.terrace.tracing.span;

/** The bounds of what is read from a file of traces. */
final class Limits {
  /** The spans of all files that are read together. */
  static final int SPANS_MAX = 20_000_000;

  /** The levels of nested objects or messages. */
  static final int DEPTH_MAX = 64;

  /** The characters of one text in a file of JSON. */
  static final int TEXT_CHARS_MAX = 4 << 20;

  /** The bytes of one message of the protobuf format, which is one batch of an exporter. */
  static final int MESSAGE_BYTES_MAX = 256 << 20;

  /** The characters that are kept of a name; what is beyond is cut. */
  static final int NAME_CHARS_MAX = 1_000;

  /** The spans of one trace of Jaeger's format, which names services only behind the spans. */
  static final int TRACE_SPANS_MAX = 2_000_000;

  private Limits() {}

  /** A name or value, cut to its limit. */
  static String cut(String text) {
    return text.length() <= NAME_CHARS_MAX ? text : text.substring(0, NAME_CHARS_MAX);
  }
}
