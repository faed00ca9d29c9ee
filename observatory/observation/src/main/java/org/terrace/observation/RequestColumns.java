package org.terrace.observation;

import java.io.IOException;
import java.util.List;

/**
 * The columns of the requests table. Of a file from another writer only {@code server}, {@code
 * arrivalNanos} and {@code departureNanos} are required.
 */
final class RequestColumns extends TableColumns<Request> {
  /** The name of a server, request class or client that the input does not tell. */
  private static final String UNKNOWN = "unknown";

  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

  private final Column.Text<Request> server = text("server", Request::server);
  private final Column.Text<Request> requestClass =
      optionalText("requestClass", Request::requestClass);
  private final Column.Text<Request> client = optionalText("client", Request::client);
  private final Column.Whole<Request> intended =
      optionalWhole("intendedNanos", Long.SIZE, Request::intendedNanos);
  private final Column.Whole<Request> arrival = whole("arrivalNanos", Request::arrivalNanos);
  private final Column.Whole<Request> departure = whole("departureNanos", Request::departureNanos);
  private final Column.Whole<Request> bytesIn =
      optionalWhole("bytesIn", Long.SIZE, Request::bytesIn);
  private final Column.Whole<Request> bytesOut =
      optionalWhole("bytesOut", Long.SIZE, Request::bytesOut);
  private final Column.Text<Request> outcome =
      optionalText("outcome", request -> request.outcome().name());
  private final Column.Whole<Request> connection =
      optionalWhole("connection", Integer.SIZE, Request::connection);

  RequestColumns() {
    super("requests");
  }

  @Override
  Request row(ParquetRow row) throws IOException {
    return request(row);
  }

  /** The request that a row holds, of whichever kind its file is. */
  Request request(TableRow row) throws IOException {
    long arrivalNanos = row.whole(arrival, 0);
    long departureNanos = row.whole(departure, 0);
    if (departureNanos < arrivalNanos) {
      throw new IOException(
          "%sdepartureNanos %d is before arrivalNanos %d"
              .formatted(row.where(), departureNanos, arrivalNanos));
    }
    return new Request(
        row.text(server, UNKNOWN),
        row.text(requestClass, UNKNOWN),
        row.text(client, UNKNOWN),
        row.whole(intended, arrivalNanos),
        arrivalNanos,
        departureNanos,
        row.whole(bytesIn, 0),
        row.whole(bytesOut, 0),
        outcome(row),
        connection(row));
  }

  private Outcome outcome(TableRow row) throws IOException {
    String name = row.text(outcome, Outcome.OK.name());
    for (Outcome each : OUTCOMES) {
      if (each.name().equalsIgnoreCase(name)) {
        return each;
      }
    }
    throw new IOException(
        "%soutcome is '%s'; expected one of %s".formatted(row.where(), name, OUTCOMES));
  }

  private int connection(TableRow row) throws IOException {
    long value = row.whole(connection, 0);
    if (value != (int) value) {
      throw new IOException(
          "%sconnection %d does not fit into 32 bits".formatted(row.where(), value));
    }
    return (int) value;
  }
}
