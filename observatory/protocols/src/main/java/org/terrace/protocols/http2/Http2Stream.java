package org.terrace.protocols.http2;

import org.terrace.protocols.decoder.OpenRequest;

/**
 * A request of HTTP/2 and its response, on a stream of their connection. Confined to one thread.
 */
final class Http2Stream extends OpenRequest {
  /** The memory that it takes. */
  static final int BYTES = 256;

  private static final int ERROR_STATUS = 400;

  int requestClass;
  boolean requestEnded;
  private boolean failed;
  final GrpcMessages sent = new GrpcMessages();
  final GrpcMessages received = new GrpcMessages();
  private boolean grpc;

  /** Notes what headers of either side say. */
  void note(HeaderBlock headers) {
    grpc |= headers.isCall();
    failed |= headers.status() >= ERROR_STATUS || headers.grpcStatus() > 0;
  }

  boolean isGrpc() {
    return grpc;
  }

  boolean hasFailed() {
    return failed;
  }
}
