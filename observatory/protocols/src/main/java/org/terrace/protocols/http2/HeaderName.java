package org.terrace.protocols.http2;

/** The names of headers, as far as they matter here. */
enum HeaderName {
  METHOD(":method"),
  PATH(":path"),
  STATUS(":status"),
  CONTENT_TYPE("content-type"),
  GRPC_STATUS("grpc-status"),
  TRACEPARENT("traceparent"),
  B3("b3"),
  B3_TRACE("x-b3-traceid"),
  REQUEST_ID("x-request-id"),
  /** Any other. */
  OTHER(""),
  /** One that was sent out of sight. */
  UNKNOWN("");

  /** No name that matters is longer. */
  static final int BYTES_MAX = 12;

  private static final HeaderName[] NAMED = {
    METHOD, PATH, STATUS, CONTENT_TYPE, GRPC_STATUS, TRACEPARENT, B3, B3_TRACE, REQUEST_ID
  };

  private final String text;

  HeaderName(String text) {
    this.text = text;
  }

  /** The name that the first bytes of an array are. */
  static HeaderName of(byte[] bytes, int length) {
    for (HeaderName name : NAMED) {
      if (name.is(bytes, length)) {
        return name;
      }
    }
    return OTHER;
  }

  private boolean is(byte[] bytes, int length) {
    if (length != text.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether its values are kept. */
  boolean matters() {
    return this != OTHER && this != UNKNOWN;
  }
}
