package org.terrace.observation;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The requests table as columns of primitive arrays, sorted by arrival: row {@code i} is the {@code
 * i}th request to arrive. Server, class and client are numbered, and their names kept once.
 *
 * <p>Immutable and thread-safe. A row takes 53 bytes. Every accessor is constant-time and checks
 * its row as an array does.
 */
public final class RequestTable {
  private static final Outcome[] OUTCOMES = Outcome.values();

  private final List<String> servers;
  private final List<String> requestClasses;
  private final List<String> clients;
  private final Columns columns;

  private RequestTable(
      List<String> servers, List<String> requestClasses, List<String> clients, Columns columns) {
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

  /** How the request of a row ended. */
  public Outcome outcome(int row) {
    return OUTCOMES[columns.outcome[row]];
  }

  /** The connection of a row. */
  public int connection(int row) {
    return columns.connection[row];
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
        connection(row));
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
    private Columns columns = new Columns(INITIAL_ROWS);
    private boolean sorted = true;

    /** Adds a request. */
    @Override
    public void accept(Request request) {
      if (columns.size == columns.server.length) {
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
      Columns built = sorted ? columns.resized(columns.size) : columns.sortedByArrival();
      return new RequestTable(servers.values(), requestClasses.values(), clients.values(), built);
    }
  }

  /** The arrays behind a table, all of one length. */
  private static final class Columns {
    private final int[] server;
    private final int[] requestClass;
    private final int[] client;
    private final long[] intended;
    private final long[] arrival;
    private final long[] departure;
    private final long[] bytesIn;
    private final long[] bytesOut;
    private final byte[] outcome;
    private final int[] connection;
    private int size;

    Columns(int capacity) {
      server = new int[capacity];
      requestClass = new int[capacity];
      client = new int[capacity];
      intended = new long[capacity];
      arrival = new long[capacity];
      departure = new long[capacity];
      bytesIn = new long[capacity];
      bytesOut = new long[capacity];
      outcome = new byte[capacity];
      connection = new int[capacity];
    }

    Columns resized(int capacity) {
      Columns resized = new Columns(capacity);
      resized.size = size;
      System.arraycopy(server, 0, resized.server, 0, size);
      System.arraycopy(requestClass, 0, resized.requestClass, 0, size);
      System.arraycopy(client, 0, resized.client, 0, size);
      System.arraycopy(intended, 0, resized.intended, 0, size);
      System.arraycopy(arrival, 0, resized.arrival, 0, size);
      System.arraycopy(departure, 0, resized.departure, 0, size);
      System.arraycopy(bytesIn, 0, resized.bytesIn, 0, size);
      System.arraycopy(bytesOut, 0, resized.bytesOut, 0, size);
      System.arraycopy(outcome, 0, resized.outcome, 0, size);
      System.arraycopy(connection, 0, resized.connection, 0, size);
      return resized;
    }

    Columns sortedByArrival() {
      int[] order = order();
      Columns result = new Columns(size);
      result.size = size;
      for (int row = 0; row < size; row++) {
        int from = order[row];
        result.server[row] = server[from];
        result.requestClass[row] = requestClass[from];
        result.client[row] = client[from];
        result.intended[row] = intended[from];
        result.arrival[row] = arrival[from];
        result.departure[row] = departure[from];
        result.bytesIn[row] = bytesIn[from];
        result.bytesOut[row] = bytesOut[from];
        result.outcome[row] = outcome[from];
        result.connection[row] = connection[from];
      }
      return result;
    }

    /**
     * The rows in the order of their arrival. Sorts longs that hold the offset from the earliest
     * arrival above the row number, when both fit, which takes no boxed objects.
     */
    private int[] order() {
      long earliest = Arrays.stream(arrival, 0, size).min().orElse(0);
      long latest = Arrays.stream(arrival, 0, size).max().orElse(0);
      int rowBits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, size - 1));
      if (latest - earliest >= 0 && Long.numberOfLeadingZeros(latest - earliest) > rowBits) {
        long[] keys = new long[size];
        for (int row = 0; row < size; row++) {
          keys[row] = (arrival[row] - earliest) << rowBits | row;
        }
        Arrays.sort(keys);
        long mask = (1L << rowBits) - 1;
        return Arrays.stream(keys).mapToInt(key -> (int) (key & mask)).toArray();
      }
      return IntStream.range(0, size)
          .boxed()
          .sorted((a, b) -> Long.compare(arrival[a], arrival[b]))
          .mapToInt(Integer::intValue)
          .toArray();
    }
  }
}
