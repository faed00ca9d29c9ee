package org.terrace.observation;

import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.TableColumns;
import org.terrace.observation.table.TableRow;

/**
 * The columns of the requests table. Of a file from another writer only {@code server}, {@code
 * arrivalNanos} and {@code departureNanos} are required.
 */
final class RequestColumns extends TableColumns<Request> {
  /** The column of a request's server. */
  static final String SERVER = "server";

  /** The name of a server, request class or client that the input does not tell. */
  private static final String UNKNOWN = "unknown";

  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

  private final Column.Text<Request> server = text(SERVER, Request::server);
  private final Column.Text<Request> requestClass =
      optionalText("requestClass", Request::requestClass);
  private final Column.Text<Request> client = optionalText("client", Request::client);
  private final Column.Whole<Request> intended =
      optionalWhole("intendedNanos", Long.SIZE, Request::intendedNanos);
  private final Column.Whole<Request> arrival = whole("arrivalNanos", Request::arrivalNanos);
  private final Column.Whole<Request> requestEnd =
      nullableWhole("requestEndNanos", request -> request.exchange().requestEndNanos());
  private final Column.Whole<Request> responseStart =
      nullableWhole("responseStartNanos", request -> request.exchange().responseStartNanos());
  private final Column.Whole<Request> departure = whole("departureNanos", Request::departureNanos);
  private final Column.Whole<Request> bytesIn =
      optionalWhole("bytesIn", Long.SIZE, Request::bytesIn);
  private final Column.Whole<Request> bytesOut =
      optionalWhole("bytesOut", Long.SIZE, Request::bytesOut);
  private final Column.Text<Request> outcome =
      optionalText("outcome", request -> request.outcome().name());
  private final Column.Whole<Request> connection =
      optionalWhole("connection", Integer.SIZE, Request::connection);
  private final Column.Whole<Request> firstFrame =
      nullableWhole("firstFrame", request -> request.exchange().firstFrame());
  private final Column.Whole<Request> lastFrame =
      nullableWhole("lastFrame", request -> request.exchange().lastFrame());
  private final Column.Whole<Request> identifier =
      nullableWhole(
          "identifier",
          request -> request.identifier() == 0 ? Column.ABSENT : request.identifier());
  private final Column.Whole<Request> transaction =
      nullableWhole("transaction", request -> told(request, TraceContext::transaction));
  private final Column.Whole<Request> span =
      nullableWhole("span", request -> told(request, TraceContext::span));
  private final Column.Whole<Request> parent =
      nullableWhole("parent", request -> told(request, TraceContext::parent));
  private final Column.Decimal<Request> confidence =
      nullableDecimal("confidence", RequestColumns::confidence);
  private final Column.Text<Request> source = nullableText("source", RequestColumns::source);

  private final Column.Text<Request> point = nullableText("point", RequestColumns::point);
  private final Column.Whole<Request> pointArrival =
      nullableWhole("pointArrivalNanos", request -> recorded(request, PointTimes::startNanos));
  private final Column.Whole<Request> pointDeparture =
      nullableWhole("pointDepartureNanos", request -> recorded(request, PointTimes::endNanos));

  RequestColumns() {
    super("requests");
  }

  private static long told(Request request, ToLongFunction<TraceContext> value) {
    TraceContext trace = request.trace();
    return trace == null ? Column.ABSENT : value.applyAsLong(trace);
  }

  private static double confidence(Request request) {
    TraceContext trace = request.trace();
    return trace == null ? Double.NaN : trace.confidence();
  }

  private static @Nullable String source(Request request) {
    TraceContext trace = request.trace();
    return trace == null ? null : trace.source();
  }

  private static @Nullable String point(Request request) {
    PointTimes recorded = request.recorded();
    return recorded == null ? null : recorded.point();
  }

  private static long recorded(Request request, ToLongFunction<PointTimes> value) {
    PointTimes recorded = request.recorded();
    return recorded == null ? Column.ABSENT : value.applyAsLong(recorded);
  }

  @Override
  protected Request row(ParquetRow row) throws IOException {
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
        connection(row),
        exchange(row),
        row.whole(identifier, 0),
        ValueSketch.NONE,
        trace(row),
        PointTimes.of(row, point, pointArrival, pointDeparture));
  }

  private Exchange exchange(TableRow row) throws IOException {
    Exchange exchange =
        new Exchange(
            row.whole(requestEnd, Exchange.UNKNOWN),
            row.whole(responseStart, Exchange.UNKNOWN),
            row.whole(firstFrame, Exchange.UNKNOWN),
            row.whole(lastFrame, Exchange.UNKNOWN));
    return exchange.equals(Exchange.NONE) ? Exchange.NONE : exchange;
  }

  /** The place in a transaction of a row that names one. */
  private @Nullable TraceContext trace(TableRow row) throws IOException {
    long transactionNumber = row.whole(transaction, Column.ABSENT);
    long spanNumber = row.whole(span, Column.ABSENT);
    long parentNumber = row.whole(parent, TraceContext.NO_PARENT);
    double probability = row.decimal(confidence, 1);
    String told = row.text(source, UNKNOWN);
    if (transactionNumber == Column.ABSENT && spanNumber == Column.ABSENT) {
      return null;
    }
    if (transactionNumber == Column.ABSENT || spanNumber == Column.ABSENT) {
      throw new IOException(
          row.where() + "only one of transaction and span has a value; expected both or none");
    }
    if (!(probability >= 0 && probability <= 1)) {
      throw new IOException(
          "%sconfidence is %s; expected 0 to 1".formatted(row.where(), probability));
    }
    return new TraceContext(transactionNumber, spanNumber, parentNumber, probability, told);
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
