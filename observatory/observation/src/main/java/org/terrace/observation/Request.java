package org.terrace.observation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request at one server: a row of the requests table. Immutable.
 *
 * @param server the name of the server that served it, for example {@code app1}
 * @param requestClass what was asked, without its literals: a URL template such as {@code GET
 *     /story/{n}}, or SQL with its literals replaced
 * @param client who asked: the name or address of the caller
 * @param intendedNanos when the client meant to send it, in nanoseconds since the Unix epoch; equal
 *     to {@code arrivalNanos} when the observer cannot know
 * @param arrivalNanos when its first byte reached the server (or left the client, for rows whose
 *     server is {@value Server#CLIENTS}), in nanoseconds since the Unix epoch
 * @param departureNanos when the last byte of its response left; never before the arrival
 * @param bytesIn bytes of the request, headers included
 * @param bytesOut bytes of the response, headers included
 * @param outcome how it ended
 * @param connection a number that is the same for all requests of one connection, unique in the
 *     observation
 * @param exchange its phases and packets; {@link Exchange#NONE} for an observer that cannot know
 * @param identifier the number that its bytes give its transaction, as a {@code traceparent} does;
 *     the same for all of it, and seldom the same for two; 0 if they give none
 * @param carriedValues a sketch of the values in its bytes ({@link ValueSketch}); {@link
 *     ValueSketch#NONE} if none were looked at. It serves stitching, and no file keeps it.
 * @param trace its place in its transaction; null before anything tells
 * @param recorded its arrival and departure by the clock of its capture point; null where all times
 *     are of one clock
 */
public record Request(
    String server,
    String requestClass,
    String client,
    long intendedNanos,
    long arrivalNanos,
    long departureNanos,
    long bytesIn,
    long bytesOut,
    Outcome outcome,
    int connection,
    Exchange exchange,
    long identifier,
    long carriedValues,
    @Nullable TraceContext trace,
    @Nullable PointTimes recorded) {

  /** Checks that the departure does not precede the arrival. */
  public Request {
    Objects.requireNonNull(server);
    Objects.requireNonNull(requestClass);
    Objects.requireNonNull(client);
    Objects.requireNonNull(outcome);
    Objects.requireNonNull(exchange);
    if (departureNanos < arrivalNanos) {
      throw new IllegalArgumentException(
          "departure " + departureNanos + " is before arrival " + arrivalNanos);
    }
  }

  /** A request of which phases, packets and transaction are not known. */
  public Request(
      String server,
      String requestClass,
      String client,
      long intendedNanos,
      long arrivalNanos,
      long departureNanos,
      long bytesIn,
      long bytesOut,
      Outcome outcome,
      int connection) {
    this(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        Exchange.NONE,
        null);
  }

  /** A request whose bytes give its transaction no number. */
  public Request(
      String server,
      String requestClass,
      String client,
      long intendedNanos,
      long arrivalNanos,
      long departureNanos,
      long bytesIn,
      long bytesOut,
      Outcome outcome,
      int connection,
      Exchange exchange,
      @Nullable TraceContext trace) {
    this(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        exchange,
        0,
        trace);
  }

  /** A request of which the values in its bytes are not known. */
  public Request(
      String server,
      String requestClass,
      String client,
      long intendedNanos,
      long arrivalNanos,
      long departureNanos,
      long bytesIn,
      long bytesOut,
      Outcome outcome,
      int connection,
      Exchange exchange,
      long identifier,
      @Nullable TraceContext trace) {
    this(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        exchange,
        identifier,
        ValueSketch.NONE,
        trace);
  }

  /** A request whose times are of the one clock that there is. */
  public Request(
      String server,
      String requestClass,
      String client,
      long intendedNanos,
      long arrivalNanos,
      long departureNanos,
      long bytesIn,
      long bytesOut,
      Outcome outcome,
      int connection,
      Exchange exchange,
      long identifier,
      long carriedValues,
      @Nullable TraceContext trace) {
    this(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        exchange,
        identifier,
        carriedValues,
        trace,
        null);
  }

  /** The same request at a place in a transaction. */
  public Request withTrace(@Nullable TraceContext place) {
    return new Request(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        exchange,
        identifier,
        carriedValues,
        place,
        recorded);
  }

  /** The same request whose bytes give its transaction a number. */
  public Request withIdentifier(long number) {
    return new Request(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        exchange,
        number,
        carriedValues,
        trace,
        recorded);
  }

  /** The same request with a sketch of the values in its bytes. */
  public Request withCarriedValues(long sketch) {
    return new Request(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        exchange,
        identifier,
        sketch,
        trace,
        recorded);
  }

  /** The same request with its times by the clock of its capture point. */
  public Request withRecorded(@Nullable PointTimes times) {
    return new Request(
        server,
        requestClass,
        client,
        intendedNanos,
        arrivalNanos,
        departureNanos,
        bytesIn,
        bytesOut,
        outcome,
        connection,
        exchange,
        identifier,
        carriedValues,
        trace,
        times);
  }

  /** The time between arrival and departure, in nanoseconds. */
  public long residenceNanos() {
    return departureNanos - arrivalNanos;
  }
}
