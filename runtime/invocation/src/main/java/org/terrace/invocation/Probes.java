package org.terrace.invocation;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;

/**
 * Timestamps of every call at one place, kept in arrays made beforehand and written to a file after
 * the run, so that measuring disturbs little.
 *
 * <p>At a client a call arrives when it is issued and departs when its reply is there; at a server
 * it arrives when the request is received and departs when the reply is complete. The class is the
 * method's name. All times are nanoseconds since the Unix epoch. Calls beyond the capacity are
 * counted, not kept. Thread-safe.
 *
 * <p>Source: Dumitras, Narasimhan, "Got predictability? Experiences with fault-tolerant
 * middleware", section 3.3 of its study of seven applications.
 */
public final class Probes {
  private final String server;
  private final TimeSource time;
  private final long[] arrivals;
  private final long[] departures;
  private final long[] clients;
  private final long[] sequences;
  private final int[] bytesIn;
  private final int[] bytesOut;
  private final String[] methods;
  private final String[] outcomes;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();

  private Probes(String server, int capacity, TimeSource time) {
    this.server = Objects.requireNonNull(server);
    this.time = time;
    arrivals = new long[capacity];
    departures = new long[capacity];
    clients = new long[capacity];
    sequences = new long[capacity];
    bytesIn = new int[capacity];
    bytesOut = new int[capacity];
    methods = new String[capacity];
    outcomes = new String[capacity];
  }

  /**
   * Room for so many calls.
   *
   * @param server what the rows say of where they were taken: {@code clients} at a client, the
   *     replica's name at a server
   */
  public static Probes of(String server, int capacity) {
    return new Probes(server, capacity, TimeSource.system());
  }

  /** The wall clock that the probes are taken with, in nanoseconds since the Unix epoch. */
  public long nowNanos() {
    return time.epochNanos();
  }

  /** Keeps one call. */
  public void add(
      RequestIdentity identity,
      String method,
      long arrivalNanos,
      long departureNanos,
      int requestBytes,
      int replyBytes,
      String outcome) {
    if (next.get() >= arrivals.length) {
      dropped.incrementAndGet();
      return;
    }
    int at = next.getAndIncrement();
    if (at >= arrivals.length) {
      dropped.incrementAndGet();
      return;
    }
    arrivals[at] = arrivalNanos;
    departures[at] = Math.max(arrivalNanos, departureNanos);
    clients[at] = identity.client();
    sequences[at] = identity.sequence();
    methods[at] = method;
    bytesIn[at] = requestBytes;
    bytesOut[at] = replyBytes;
    outcomes[at] = outcome;
  }

  /** The number of calls that are kept. */
  public int size() {
    return Math.min(next.get(), arrivals.length);
  }

  /** The number of calls that found no room. */
  public long dropped() {
    return dropped.get();
  }

  /**
   * Writes what is kept as comma-separated values that {@code terrace analyze} reads; to be called
   * after the run.
   */
  public void write(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path part = Files.createTempFile(Objects.requireNonNull(parent), "probes", ".part");
    try {
      try (BufferedWriter out = Files.newBufferedWriter(part, StandardCharsets.UTF_8)) {
        out.write(
            "server,requestClass,client,arrivalNanos,departureNanos,bytesIn,bytesOut,outcome,"
                + "sequence\n");
        int rows = size();
        for (int i = 0; i < rows; i++) {
          if (methods[i] != null) {
            out.write(row(i));
          }
        }
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private String row(int i) {
    return server
        + ','
        + methods[i]
        + ','
        + Long.toHexString(clients[i])
        + ','
        + arrivals[i]
        + ','
        + departures[i]
        + ','
        + bytesIn[i]
        + ','
        + bytesOut[i]
        + ','
        + outcomes[i]
        + ','
        + sequences[i]
        + '\n';
  }
}
