package org.terrace.observation;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The requests table as columns of primitive arrays, sorted by arrival: row {@code i} is the {@code
 * i}th request to arrive. Server, class and client are numbered, and their names kept once.
 *
 * <p>Immutable and thread-safe. A row takes 53 bytes, 32 more in a table that tells phases and
 * packets, 8 more in one with identifiers, 8 more where values were looked at, 36 more in one that
 * tells transactions, and 20 more in one of several capture points. Every accessor is constant-time
 * and checks its row as an array does.
 */
public final class RequestTable {
  private static final Outcome[] OUTCOMES = Outcome.values();

  private final List<String> servers;
  private final List<String> requestClasses;
  private final List<String> clients;
  private final RequestArrays columns;

  private RequestTable(
      List<String> servers,
      List<String> requestClasses,
      List<String> clients,
      RequestArrays columns) {
    this.servers = servers;
    this.requestClasses = requestClasses;
    this.clients = clients;
    this.columns = columns;
  }

  /** A table without rows. */
  public static RequestTable empty() {
    return new Builder().build();
  }

  /** The number of rows. */
  public int size() {
    return columns.size;
  }

  /** The names of servers; {@link #server(int)} is an index into this list. */
  public List<String> servers() {
    return servers;
  }

  /** The names of request classes; {@link #requestClass(int)} is an index into this list. */
  public List<String> requestClasses() {
    return requestClasses;
  }

  /** The names of clients; {@link #client(int)} is an index into this list. */
  public List<String> clients() {
    return clients;
  }

  /** The server of a row, as an index into {@link #servers()}. */
  public int server(int row) {
    return columns.server[row];
  }

  /** The request class of a row, as an index into {@link #requestClasses()}. */
  public int requestClass(int row) {
    return columns.requestClass[row];
  }

  /** The same rows with other names of clients, of which several may become one name. */
  public RequestTable withClients(UnaryOperator<String> rename) {
    return new RequestTable(
        servers, requestClasses, clients.stream().map(rename).toList(), columns);
  }

  /** The client of a row, as an index into {@link #clients()}. */
  public int client(int row) {
    return columns.client[row];
  }

  /** The intended time of a row, in nanoseconds since the Unix epoch. */
  public long intendedNanos(int row) {
    return columns.intended[row];
  }

  /** The arrival of a row, in nanoseconds since the Unix epoch; never less than the row before. */
  public long arrivalNanos(int row) {
    return columns.arrival[row];
  }

  /** The departure of a row, in nanoseconds since the Unix epoch. */
  public long departureNanos(int row) {
    return columns.departure[row];
  }

  /** The bytes of the request of a row. */
  public long bytesIn(int row) {
    return columns.bytesIn[row];
  }

  /** The bytes of the response of a row. */
  public long bytesOut(int row) {
    return columns.bytesOut[row];
  }

  /** The outcome of the request of a row. */
  public Outcome outcome(int row) {
    return OUTCOMES[columns.outcome[row]];
  }

  /** The connection of a row. */
  public int connection(int row) {
    return columns.connection[row];
  }

  /** The phases and packets of a row; allocates. */
  public Exchange exchange(int row) {
    RequestArrays.Exchanges known = columns.exchanges;
    return known == null ? Exchange.NONE : known.of(row);
  }

  /** The number that the bytes of a row give its transaction; 0 if they give none. */
  public long identifier(int row) {
    long[] known = columns.identifiers;
    return known == null ? 0 : known[row];
  }

  /** The sketch of the values in the bytes of a row; {@link ValueSketch#NONE} if not looked at. */
  public long carriedValues(int row) {
    long[] known = columns.carriedValues;
    return known == null ? ValueSketch.NONE : known[row];
  }

  /** The place of a row in its transaction, or null; allocates. */
  public @Nullable TraceContext trace(int row) {
    RequestArrays.Traces known = columns.traces;
    return known == null ? null : known.of(row);
  }

  /** The times of a row by the clock of its capture point, or null; allocates. */
  public @Nullable PointTimes recorded(int row) {
    RequestArrays.Recordings known = columns.recordings;
    return known == null ? null : known.of(row);
  }

  /** A row as a value; for tests and small tables, since it allocates. */
  public Request request(int row) {
    return new Request(
        servers.get(server(row)),
        requestClasses.get(requestClass(row)),
        clients.get(client(row)),
        intendedNanos(row),
        arrivalNanos(row),
        departureNanos(row),
        bytesIn(row),
        bytesOut(row),
        outcome(row),
        connection(row),
        exchange(row),
        identifier(row),
        carriedValues(row),
        trace(row),
        recorded(row));
  }

  /** The rows of one server in the order of their arrival; empty when the name is unknown. */
  public int[] rowsOf(String server) {
    int index = servers.indexOf(server);
    return IntStream.range(0, size()).filter(row -> columns.server[row] == index).toArray();
  }

  /**
   * Collects requests in any order and builds the table. Confined to one thread; a builder builds
   * once.
   */
  public static final class Builder implements Consumer<Request> {
    private static final int INITIAL_ROWS = 1024;

    private final Dictionary servers = new Dictionary();
    private final Dictionary requestClasses = new Dictionary();
    private final Dictionary clients = new Dictionary();
    private RequestArrays columns = new RequestArrays(INITIAL_ROWS);
    private boolean sorted = true;

    /** Adds a request. */
    @Override
    public void accept(Request request) {
      if (columns.size == columns.capacity()) {
        columns = columns.resized(Math.multiplyExact(columns.size, 2));
      }
      int row = columns.size++;
      columns.server[row] = servers.indexOf(request.server());
      columns.requestClass[row] = requestClasses.indexOf(request.requestClass());
      columns.client[row] = clients.indexOf(request.client());
      columns.intended[row] = request.intendedNanos();
      columns.arrival[row] = request.arrivalNanos();
      columns.departure[row] = request.departureNanos();
      columns.bytesIn[row] = request.bytesIn();
      columns.bytesOut[row] = request.bytesOut();
      columns.outcome[row] = (byte) request.outcome().ordinal();
      columns.connection[row] = request.connection();
      if (!request.exchange().equals(Exchange.NONE)) {
        columns.exchanges().set(row, request.exchange());
      }
      if (request.identifier() != 0) {
        columns.identifiers()[row] = request.identifier();
      }
      if (request.carriedValues() != ValueSketch.NONE) {
        columns.carriedValues()[row] = request.carriedValues();
      }
      TraceContext trace = request.trace();
      if (trace != null) {
        columns.traces().set(row, trace);
      }
      PointTimes recorded = request.recorded();
      if (recorded != null) {
        columns.recordings().set(row, recorded);
      }
      sorted &= row == 0 || columns.arrival[row] >= columns.arrival[row - 1];
    }

    /** Adds every row of another table. */
    public Builder addAll(RequestTable table) {
      for (int row = 0; row < table.size(); row++) {
        accept(table.request(row));
      }
      return this;
    }

    /**
     * The table of what was added, sorted by arrival; rows that arrived together keep their order.
     */
    public RequestTable build() {
      RequestArrays built = sorted ? columns.resized(columns.size) : columns.sortedByArrival();
      return new RequestTable(servers.values(), requestClasses.values(), clients.values(), built);
    }
  }
}
