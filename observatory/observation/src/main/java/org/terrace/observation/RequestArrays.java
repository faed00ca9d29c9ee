package org.terrace.observation;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.table.Column;

/**
 * The arrays behind a table of requests, all of one length. What only packets or a trace tell has
 * arrays from the first row on that has it. Confined to one thread while it grows.
 */
final class RequestArrays {
  final int[] server;
  final int[] requestClass;
  final int[] client;
  final long[] intended;
  final long[] arrival;
  final long[] departure;
  final long[] bytesIn;
  final long[] bytesOut;
  final byte[] outcome;
  final int[] connection;
  @Nullable Exchanges exchanges;
  @Nullable Traces traces;
  @Nullable Recordings recordings;
  long @Nullable [] identifiers;
  long @Nullable [] carriedValues;
  int size;

  RequestArrays(int capacity) {
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

  int capacity() {
    return server.length;
  }

  /** The arrays of what packets tell, made when there are none yet. */
  Exchanges exchanges() {
    Exchanges known = exchanges;
    if (known == null) {
      known = new Exchanges(capacity());
      exchanges = known;
    }
    return known;
  }

  /** The numbers of transactions in the bytes of requests, made when there are none yet. */
  long[] identifiers() {
    long[] known = identifiers;
    if (known == null) {
      known = new long[capacity()];
      identifiers = known;
    }
    return known;
  }

  /** The sketches of the values in the bytes of requests, made when there are none yet. */
  long[] carriedValues() {
    long[] known = carriedValues;
    if (known == null) {
      known = new long[capacity()];
      carriedValues = known;
    }
    return known;
  }

  /** The arrays of what a trace tells, made when there are none yet. */
  Traces traces() {
    Traces known = traces;
    if (known == null) {
      known = new Traces(capacity());
      traces = known;
    }
    return known;
  }

  /** The arrays of what capture points with clocks of their own tell, made when there are none. */
  Recordings recordings() {
    Recordings known = recordings;
    if (known == null) {
      known = new Recordings(capacity());
      recordings = known;
    }
    return known;
  }

  RequestArrays resized(int capacity) {
    RequestArrays resized = new RequestArrays(capacity);
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
    if (exchanges != null) {
      resized.exchanges().copy(exchanges, size);
    }
    if (traces != null) {
      resized.traces().copy(traces, size);
    }
    if (recordings != null) {
      resized.recordings().copy(recordings, size);
    }
    if (identifiers != null) {
      System.arraycopy(identifiers, 0, resized.identifiers(), 0, size);
    }
    if (carriedValues != null) {
      System.arraycopy(carriedValues, 0, resized.carriedValues(), 0, size);
    }
    return resized;
  }

  RequestArrays sortedByArrival() {
    int[] order = order();
    RequestArrays result = new RequestArrays(size);
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
    if (exchanges != null) {
      result.exchanges().permute(exchanges, order);
    }
    if (traces != null) {
      result.traces().permute(traces, order);
    }
    if (recordings != null) {
      result.recordings().permute(recordings, order);
    }
    if (identifiers != null) {
      permute(identifiers, result.identifiers(), order);
    }
    if (carriedValues != null) {
      permute(carriedValues, result.carriedValues(), order);
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

  /** An array of which every place is unknown. */
  private static long[] unknown(int capacity) {
    long[] values = new long[capacity];
    Arrays.fill(values, Column.ABSENT);
    return values;
  }

  private static void permute(long[] from, long[] to, int[] order) {
    for (int row = 0; row < order.length; row++) {
      to[row] = from[order[row]];
    }
  }

  /** The phases and packets of requests. */
  static final class Exchanges {
    final long[] requestEnd;
    final long[] responseStart;
    final long[] firstFrame;
    final long[] lastFrame;

    Exchanges(int capacity) {
      requestEnd = unknown(capacity);
      responseStart = unknown(capacity);
      firstFrame = unknown(capacity);
      lastFrame = unknown(capacity);
    }

    void set(int row, Exchange exchange) {
      requestEnd[row] = exchange.requestEndNanos();
      responseStart[row] = exchange.responseStartNanos();
      firstFrame[row] = exchange.firstFrame();
      lastFrame[row] = exchange.lastFrame();
    }

    Exchange of(int row) {
      return new Exchange(requestEnd[row], responseStart[row], firstFrame[row], lastFrame[row]);
    }

    private void copy(Exchanges from, int size) {
      System.arraycopy(from.requestEnd, 0, requestEnd, 0, size);
      System.arraycopy(from.responseStart, 0, responseStart, 0, size);
      System.arraycopy(from.firstFrame, 0, firstFrame, 0, size);
      System.arraycopy(from.lastFrame, 0, lastFrame, 0, size);
    }

    private void permute(Exchanges from, int[] order) {
      RequestArrays.permute(from.requestEnd, requestEnd, order);
      RequestArrays.permute(from.responseStart, responseStart, order);
      RequestArrays.permute(from.firstFrame, firstFrame, order);
      RequestArrays.permute(from.lastFrame, lastFrame, order);
    }
  }

  /** The places of requests in their transactions; a request without a source has none. */
  static final class Traces {
    final long[] transaction;
    final long[] span;
    final long[] parent;
    final double[] confidence;
    final @Nullable String[] source;

    Traces(int capacity) {
      transaction = new long[capacity];
      span = new long[capacity];
      parent = new long[capacity];
      confidence = new double[capacity];
      source = new @Nullable String[capacity];
    }

    void set(int row, TraceContext trace) {
      transaction[row] = trace.transaction();
      span[row] = trace.span();
      parent[row] = trace.parent();
      confidence[row] = trace.confidence();
      source[row] = trace.source();
    }

    @Nullable TraceContext of(int row) {
      String told = source[row];
      return told == null
          ? null
          : new TraceContext(transaction[row], span[row], parent[row], confidence[row], told);
    }

    private void copy(Traces from, int size) {
      System.arraycopy(from.transaction, 0, transaction, 0, size);
      System.arraycopy(from.span, 0, span, 0, size);
      System.arraycopy(from.parent, 0, parent, 0, size);
      System.arraycopy(from.confidence, 0, confidence, 0, size);
      System.arraycopy(from.source, 0, source, 0, size);
    }

    private void permute(Traces from, int[] order) {
      RequestArrays.permute(from.transaction, transaction, order);
      RequestArrays.permute(from.span, span, order);
      RequestArrays.permute(from.parent, parent, order);
      for (int row = 0; row < order.length; row++) {
        confidence[row] = from.confidence[order[row]];
        source[row] = from.source[order[row]];
      }
    }
  }

  /** The times of requests by the clocks of their capture points; one without a point has none. */
  static final class Recordings {
    final @Nullable String[] point;
    final long[] start;
    final long[] end;

    Recordings(int capacity) {
      point = new @Nullable String[capacity];
      start = new long[capacity];
      end = new long[capacity];
    }

    void set(int row, PointTimes times) {
      point[row] = times.point();
      start[row] = times.startNanos();
      end[row] = times.endNanos();
    }

    @Nullable PointTimes of(int row) {
      String name = point[row];
      return name == null ? null : new PointTimes(name, start[row], end[row]);
    }

    private void copy(Recordings from, int size) {
      System.arraycopy(from.point, 0, point, 0, size);
      System.arraycopy(from.start, 0, start, 0, size);
      System.arraycopy(from.end, 0, end, 0, size);
    }

    private void permute(Recordings from, int[] order) {
      RequestArrays.permute(from.start, start, order);
      RequestArrays.permute(from.end, end, order);
      for (int row = 0; row < order.length; row++) {
        point[row] = from.point[order[row]];
      }
    }
  }
}
