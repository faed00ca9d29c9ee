package org.terrace.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.terrace.core.RadixSort;

/**
 * The turns of a server: what it has in hand between a message that it takes and the message that
 * it gives for it. A turn begins when a request comes or a call of the server is answered, and ends
 * when the server answers or makes a call. Time in which it only waits for others is no turn, so a
 * server without an end of turns, though turns are open, stands still itself.
 *
 * <p>Packets do not say which turn a message ends, so the oldest open one ends. The number of open
 * turns, on which everything rests, does not depend on that. A message that no open turn explains
 * (a call of the server's own accord, the second of two calls at once) ends none, and the answer to
 * such a call begins none.
 */
final class Turns {
  /** The classes of turns. */
  static final List<String> CLASSES = List.of("request", "answer");

  private static final int BY_REQUEST = 0;
  private static final int BY_ANSWER = 1;

  private long[] starts = new long[1 << 10];
  private long[] ends = new long[1 << 10];
  private byte[] classes = new byte[1 << 10];
  private byte[] outcomes = new byte[1 << 10];

  /** Turns begun and ended; those between are open. */
  private int begun;

  private int ended;

  /**
   * Calls in flight that ended a turn, and requests answered although such calls were in flight.
   */
  private int waiting;

  private int early;

  private Turns() {}

  /** The turns of a server, sorted by their start. O(messages log servers called). */
  static ServerRequests of(ServerRequests requests, List<CallsOut> calls, RadixSort sort) {
    Turns turns = new Turns();
    PriorityQueue<Stream> streams = new PriorityQueue<>();
    add(streams, requests.arrival, Kind.REQUEST);
    add(streams, ends(requests, sort, true), Kind.ANSWER);
    add(streams, ends(requests, sort, false), Kind.LOST);
    for (CallsOut each : calls) {
      add(streams, each.sent, Kind.CALL);
      long[] answered = each.answered.clone();
      sort.sort(answered, 0, answered.length);
      add(streams, answered, Kind.CALL_ANSWERED);
    }
    long last = 0;
    while (!streams.isEmpty()) {
      Stream next = streams.remove();
      last = next.time();
      turns.step(next.kind, last);
      if (next.advance()) {
        streams.add(next);
      }
    }
    return turns.rows(requests.server, last);
  }

  /** In the order in which messages of one moment are taken: what begins a turn comes first. */
  private enum Kind {
    REQUEST,
    CALL_ANSWERED,
    CALL,
    ANSWER,
    LOST
  }

  private static void add(PriorityQueue<Stream> streams, long[] times, Kind kind) {
    if (times.length > 0) {
      streams.add(new Stream(times, kind));
    }
  }

  private static long[] ends(ServerRequests requests, RadixSort sort, boolean answers) {
    long[] times = new long[requests.size];
    int size = 0;
    for (int row = 0; row < requests.size; row++) {
      if (ServerRequests.isCompletion(requests.outcome[row]) == answers) {
        times[size++] = requests.departure[row];
      }
    }
    times = Arrays.copyOf(times, size);
    sort.sort(times, 0, size);
    return times;
  }

  private void step(Kind kind, long time) {
    switch (kind) {
      case REQUEST -> begin(time, BY_REQUEST);
      case CALL_ANSWERED -> {
        if (waiting > 0) {
          waiting--;
          if (early > 0) {
            early--;
          } else {
            begin(time, BY_ANSWER);
          }
        }
      }
      case CALL -> {
        if (begun > ended) {
          end(time, (byte) 0);
          waiting++;
        }
      }
      case ANSWER, LOST -> {
        if (begun > ended) {
          end(time, kind == Kind.ANSWER ? (byte) 0 : ServerRequests.ABORTED);
        } else if (waiting > early) {
          early++;
        }
      }
    }
  }

  private void begin(long time, int requestClass) {
    if (begun == starts.length) {
      starts = Arrays.copyOf(starts, begun * 2);
      ends = Arrays.copyOf(ends, begun * 2);
      classes = Arrays.copyOf(classes, begun * 2);
      outcomes = Arrays.copyOf(outcomes, begun * 2);
    }
    starts[begun] = time;
    classes[begun++] = (byte) requestClass;
  }

  private void end(long time, byte outcome) {
    ends[ended] = time;
    outcomes[ended++] = outcome;
  }

  private ServerRequests rows(String server, long last) {
    while (ended < begun) {
      end(last, ServerRequests.UNFINISHED);
    }
    int[] requestClass = new int[begun];
    Arrays.setAll(requestClass, i -> classes[i]);
    return new ServerRequests(
        server,
        Arrays.copyOf(starts, begun),
        Arrays.copyOf(ends, begun),
        requestClass,
        Arrays.copyOf(outcomes, begun),
        CLASSES);
  }

  /** Messages of one kind in order of time. */
  private static final class Stream implements Comparable<Stream> {
    private final long[] times;
    private final Kind kind;
    private int at;

    Stream(long[] times, Kind kind) {
      this.times = times;
      this.kind = kind;
    }

    long time() {
      return times[at];
    }

    boolean advance() {
      return ++at < times.length;
    }

    @Override
    public int compareTo(Stream other) {
      int byTime = Long.compare(time(), other.time());
      return byTime != 0 ? byTime : kind.compareTo(other.kind);
    }
  }
}
