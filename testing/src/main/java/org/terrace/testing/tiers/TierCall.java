package org.terrace.testing.tiers;

/**
 * One request at one server, as a capture would show it, with what no capture shows: the request
 * that caused it. Immutable.
 *
 * @param server who served it
 * @param requestClass what was asked; {@code GET} or {@code SELECT} where kinds are not told
 * @param client who asked: the name of a server, or of a browser
 * @param startNanos when it reached the server
 * @param endNanos when its answer left
 * @param connection the connection it came on
 * @param bytesIn the bytes of the request
 * @param bytesOut the bytes of the answer
 * @param identifier the number of its transaction that its bytes name; 0 if they name none
 * @param value a number that its bytes carry; 0 if they carry none
 * @param parent the place in the list of the request that caused it; -1 for none that is in it
 */
public record TierCall(
    String server,
    String requestClass,
    String client,
    long startNanos,
    long endNanos,
    int connection,
    int bytesIn,
    int bytesOut,
    long identifier,
    long value,
    int parent) {

  /** The same call caused by another place in the list. */
  TierCall withParent(int place) {
    return new TierCall(
        server,
        requestClass,
        client,
        startNanos,
        endNanos,
        connection,
        bytesIn,
        bytesOut,
        identifier,
        value,
        place);
  }

  /** The same call on a clock that runs ahead by some nanoseconds. */
  TierCall shifted(long nanos) {
    return new TierCall(
        server,
        requestClass,
        client,
        startNanos + nanos,
        endNanos + nanos,
        connection,
        bytesIn,
        bytesOut,
        identifier,
        value,
        parent);
  }
}
