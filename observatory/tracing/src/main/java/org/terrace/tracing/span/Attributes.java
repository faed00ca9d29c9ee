package org.terrace.tracing.span;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of the attributes that are read and written. */
final class Attributes {
  /** The beginning of the names of what only a requests table has. */
  static final String OWN = "terrace.";

  static final String CLIENT = OWN + "client";
  static final String INTENDED = OWN + "intended_nanos";
  static final String BYTES_IN = OWN + "bytes_in";
  static final String BYTES_OUT = OWN + "bytes_out";
  static final String OUTCOME = OWN + "outcome";
  static final String CONNECTION = OWN + "connection";
  static final String REQUEST_END = OWN + "request_end_nanos";
  static final String RESPONSE_START = OWN + "response_start_nanos";
  static final String FIRST_FRAME = OWN + "first_frame";
  static final String LAST_FRAME = OWN + "last_frame";
  static final String CONFIDENCE = OWN + "confidence";
  static final String SOURCE = OWN + "source";

  /** The value of {@link #SOURCE} of a request whose transaction nothing tells. */
  static final String NO_SOURCE = "none";

  static final String SERVICE = "service.name";
  static final String KIND = "span.kind";
  static final String ERROR = "error";
  static final String STATUS = "otel.status_code";
  static final String CALLER = "client.address";

  /** The names of a callee, the best first; older conventions follow newer ones. */
  private static final List<String> CALLEE =
      List.of(
          "service.peer.name",
          "peer.service",
          "db.system.name",
          "db.system",
          "messaging.system",
          "server.address",
          "net.peer.name",
          "server.socket.domain",
          "network.peer.address",
          "net.peer.ip");

  private static final Set<String> OTHERS = Set.of(KIND, ERROR, STATUS, CALLER);

  private Attributes() {}

  /** Whether an attribute of a span is of use. */
  static boolean isKept(String key) {
    return key.startsWith(OWN) || OTHERS.contains(key) || CALLEE.contains(key);
  }

  /** The name of whom a span calls; null if nothing names it. */
  static @Nullable String callee(Span span) {
    for (String key : CALLEE) {
      String value = span.attribute(key);
      if (value != null && !value.isBlank()) {
        return value;
      }
    }
    return null;
  }
}
