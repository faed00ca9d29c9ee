package org.terrace.analysis;

import java.util.Arrays;
import java.util.List;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestClass;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * The requests of one server as columns, sorted by arrival. Row {@code i} of all arrays is one
 * request. The arrays are never changed after {@link #split}.
 */
final class ServerRequests {
  final String server;
  final int size;
  final long[] arrival;
  final long[] departure;
  final int[] requestClass;

  /** {@link Outcome#ordinal()} of each row. */
  final byte[] outcome;

  /** The times at which the client meant to send each; empty but for the clients' own requests. */
  final long[] intended;

  /** The names behind {@link #requestClass}. */
  final List<String> classNames;

  private int filled;

  ServerRequests(String server, int size, List<String> classNames) {
    this.server = server;
    this.size = size;
    this.classNames = classNames;
    arrival = new long[size];
    departure = new long[size];
    requestClass = new int[size];
    outcome = new byte[size];
    intended = new long[server.equals(Server.CLIENTS) ? size : 0];
  }

  /** Requests given as columns, sorted by arrival; the arrays are kept, not copied. */
  ServerRequests(
      String server,
      long[] arrival,
      long[] departure,
      int[] requestClass,
      byte[] outcome,
      List<String> classNames) {
    this(server, arrival, departure, requestClass, outcome, new long[0], classNames);
  }

  /** The same with the times at which the client meant to send each; none for a server. */
  ServerRequests(
      String server,
      long[] arrival,
      long[] departure,
      int[] requestClass,
      byte[] outcome,
      long[] intended,
      List<String> classNames) {
    this.server = server;
    this.size = arrival.length;
    this.classNames = classNames;
    this.arrival = arrival;
    this.departure = departure;
    this.requestClass = requestClass;
    this.outcome = outcome;
    this.intended = intended;
  }

  /** Whether an outcome is an answer: only answers count as throughput. */
  static boolean isCompletion(byte outcome) {
    return outcome <= ERROR;
  }

  static final byte ERROR = (byte) Outcome.ERROR.ordinal();
  static final byte ABORTED = (byte) Outcome.ABORTED.ordinal();
  static final byte UNFINISHED = (byte) Outcome.UNFINISHED.ordinal();

  /**
   * The requests of every server of a table, by the table's server index, but for those that may
   * wait by their client's own wish: their time is no work of the server (docs/decisions/0276).
   * O(rows).
   */
  static ServerRequests[] split(RequestTable table) {
    int rows = table.size();
    int servers = table.servers().size();
    boolean[] waits = RequestClass.thatMayWait(table.requestClasses());
    int[] sizes = new int[servers];
    for (int row = 0; row < rows; row++) {
      sizes[table.server(row)] += waits[table.requestClass(row)] ? 0 : 1;
    }
    ServerRequests[] split = new ServerRequests[servers];
    Arrays.setAll(
        split, i -> new ServerRequests(table.servers().get(i), sizes[i], table.requestClasses()));
    for (int row = 0; row < rows; row++) {
      if (!waits[table.requestClass(row)]) {
        split[table.server(row)].add(table, row);
      }
    }
    return split;
  }

  private void add(RequestTable table, int tableRow) {
    int row = filled++;
    arrival[row] = table.arrivalNanos(tableRow);
    departure[row] = table.departureNanos(tableRow);
    requestClass[row] = table.requestClass(tableRow);
    outcome[row] = (byte) table.outcome(tableRow).ordinal();
    if (intended.length > 0) {
      intended[row] = table.intendedNanos(tableRow);
    }
  }

  /** The first row whose arrival is at or after a time. O(log rows). */
  int firstArrivalAtOrAfter(long timeNanos) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (arrival[middle] < timeNanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
