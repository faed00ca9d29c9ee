package org.terrace.protocols.decoder;

import org.terrace.observation.Outcome;

/** Receives the requests of one connection as its decoder completes them. */
@FunctionalInterface
interface RequestOutput {
  /**
   * One request.
   *
   * @param requestClass its class, a number of {@link RequestClasses}
   * @param arrivalNanos the time of its first byte
   * @param departureNanos the time of the last byte of its response, or at which it was given up
   */
  void request(
      int requestClass,
      long arrivalNanos,
      long departureNanos,
      long bytesIn,
      long bytesOut,
      Outcome outcome);
}
