package org.terrace.protocols.http2;

import java.nio.charset.StandardCharsets;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.decoder.TransactionIdentifiers;
import org.terrace.protocols.text.Ascii;
import org.terrace.protocols.values.CarriedValues;
import org.terrace.wire.bytes.Bytes;

/** The headers of one block that matter. Filled anew for every block; confined to one thread. */
final class HeaderBlock {
  /** A value is kept up to this length. */
  static final int VALUE_BYTES_MAX = 1024;

  /** The path of a call is its name, up to this length. */
  static final int NAME_BYTES_MAX = 250;

  private static final int METHOD_BYTES_MAX = 20;
  private static final byte[] GRPC = Ascii.of("application/grpc");
  private static final int STATUS_DIGITS = 3;

  private final byte[] method = new byte[METHOD_BYTES_MAX];
  private final byte[] path = new byte[VALUE_BYTES_MAX];
  private int methodLength;
  private int pathLength;
  private boolean complete;
  private boolean grpc;
  private long status;
  private long grpcStatus;
  private long identifier;

  void clear() {
    methodLength = 0;
    pathLength = 0;
    complete = true;
    grpc = false;
    status = -1;
    grpcStatus = -1;
    identifier = 0;
  }

  /** Some headers are not known. */
  void lacks() {
    complete = false;
  }

  void add(HeaderName name, byte[] value, int length) {
    switch (name) {
      case METHOD -> {
        methodLength = Math.min(length, METHOD_BYTES_MAX);
        System.arraycopy(value, 0, method, 0, methodLength);
      }
      case PATH -> {
        pathLength = Math.min(length, VALUE_BYTES_MAX);
        System.arraycopy(value, 0, path, 0, pathLength);
      }
      case STATUS -> status = Ascii.decimal(value, 0, length, STATUS_DIGITS);
      case CONTENT_TYPE -> grpc = Bytes.startsWith(value, 0, length, GRPC);
      case GRPC_STATUS -> grpcStatus = Ascii.decimal(value, 0, length, STATUS_DIGITS);
      case TRACEPARENT ->
          identifier =
              TransactionIdentifiers.preferred(
                  identifier, TransactionIdentifiers.ofTraceparent(value, 0, length));
      case B3, B3_TRACE ->
          identifier =
              TransactionIdentifiers.preferred(
                  identifier, TransactionIdentifiers.ofTrace(value, 0, length));
      case REQUEST_ID ->
          identifier =
              TransactionIdentifiers.orElse(
                  identifier, TransactionIdentifiers.ofRequest(value, 0, length));
      case UNKNOWN -> complete = false;
      case OTHER -> {}
    }
  }

  /** Whether every header is known. */
  boolean isComplete() {
    return complete;
  }

  /** Whether it says that it is of a call by gRPC. */
  boolean isGrpc() {
    return grpc;
  }

  /**
   * Whether it is of a call by gRPC, or has its path, where some headers were sent out of sight: a
   * service with its package, and a method.
   */
  boolean isCall() {
    return grpc || (!complete && methodLength > 0 && hasPathOfCall());
  }

  private boolean hasPathOfCall() {
    int slashes = 0;
    boolean dotInService = false;
    for (int i = 0; i < pathLength; i++) {
      int c = path[i];
      if (c == '/') {
        slashes++;
      } else if (c == '.') {
        dotInService |= slashes == 1;
      } else if (!Character.isLetterOrDigit(c) && c != '_') {
        return false;
      }
    }
    return dotInService && slashes == 2 && path[0] == '/' && path[pathLength - 1] != '/';
  }

  /** The status of a response, -1 if there is none. */
  long status() {
    return status;
  }

  /** The status of a call by gRPC, -1 if there is none. */
  long grpcStatus() {
    return grpcStatus;
  }

  /** The number that it gives its transaction; 0 if it gives none. */
  long identifier() {
    return identifier;
  }

  /** The sketch of the values in its path. */
  long carriedValues() {
    return CarriedValues.ofTarget(ValueSketch.NONE, path, 0, pathLength);
  }

  boolean hasMethod() {
    return methodLength > 0;
  }

  boolean hasPath() {
    return pathLength > 0;
  }

  String method() {
    return new String(method, 0, methodLength, StandardCharsets.ISO_8859_1);
  }

  /** Puts the method, a blank and the path into an array; returns the index behind them. */
  int requestLine(byte[] into) {
    System.arraycopy(method, 0, into, 0, methodLength);
    into[methodLength] = ' ';
    System.arraycopy(path, 0, into, methodLength + 1, pathLength);
    return methodLength + 1 + pathLength;
  }

  int methodLength() {
    return methodLength;
  }

  byte[] path() {
    return path;
  }

  int pathLength() {
    return pathLength;
  }

  /** The longest {@link #requestLine}. */
  static int requestLineBytesMax() {
    return METHOD_BYTES_MAX + 1 + VALUE_BYTES_MAX;
  }
}
