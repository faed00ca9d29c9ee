package org.terrace.protocols.decoder;

/** The body that a start line of HTTP lets one expect behind the headers. */
enum HttpBody {
  /** By length or chunks, or else none: a request's. */
  BY_HEADERS,
  /** By length or chunks, or else up to the end of the connection: a response's. */
  BY_HEADERS_OR_CLOSE,
  /** None, whatever the headers say. */
  NONE;

  /** The body of a response, by its status and the method of its request. */
  static HttpBody ofResponse(int status, boolean toHead, boolean switchesProtocol) {
    boolean none = toHead || switchesProtocol || status < 200 || status == 204 || status == 304;
    return none ? NONE : BY_HEADERS_OR_CLOSE;
  }
}
