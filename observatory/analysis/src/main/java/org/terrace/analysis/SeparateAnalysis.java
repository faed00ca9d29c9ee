package org.terrace.analysis;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.experience.ClientSeconds;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.study.Validity;
import org.terrace.core.RadixSort;
import org.terrace.observation.Event;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestClass;
import org.terrace.observation.Server;

/**
 * The analysis of an observation server by server, wherever the requests of each are, and the join
 * of its parts: together the findings of {@link Analysis}, to the last bit, since that one joins
 * its servers by the same functions. Pure functions; each part takes about 60 bytes of memory for
 * each of the server's own requests, and 32 for each of its calls.
 */
public final class SeparateAnalysis {
  private SeparateAnalysis() {}

  /**
   * The requests of one server, added in the order of their arrival; those that arrived together in
   * the order of the observation's table. Confined to one thread.
   */
  public static final class Rows {
    private final String server;
    private final List<String> classNames;
    private final boolean[] waits;
    private long[] arrival;
    private long[] departure;
    private int[] requestClass;
    private byte[] outcome;
    private long[] intended;
    private int size;

    /**
     * Rows of a server.
     *
     * @param capacity how many there will be at most
     * @param classNames the classes of the whole observation, in the order of its table
     */
    public Rows(String server, int capacity, List<String> classNames) {
      this.server = server;
      this.classNames = List.copyOf(classNames);
      waits = RequestClass.thatMayWait(classNames);
      arrival = new long[capacity];
      departure = new long[capacity];
      requestClass = new int[capacity];
      outcome = new byte[capacity];
      intended = new long[server.equals(Server.CLIENTS) ? capacity : 0];
    }

    /**
     * Adds a request; one that may wait by its client's own wish is passed over.
     *
     * @param classIndex its class, as an index into the class names
     * @throws IllegalArgumentException if it arrived before the one added last
     */
    public void add(
        long arrivalNanos, long departureNanos, int classIndex, Outcome ended, long intendedNanos) {
      if (waits[classIndex]) {
        return;
      }
      if (size > 0 && arrivalNanos < arrival[size - 1]) {
        throw new IllegalArgumentException(
            "a request of "
                + server
                + " at "
                + arrivalNanos
                + " came after one at "
                + arrival[size - 1]);
      }
      arrival[size] = arrivalNanos;
      departure[size] = departureNanos;
      requestClass[size] = classIndex;
      outcome[size] = (byte) ended.ordinal();
      if (intended.length > 0) {
        intended[size] = intendedNanos;
      }
      size++;
    }

    private ServerRequests requests() {
      if (size < arrival.length) {
        arrival = Arrays.copyOf(arrival, size);
        departure = Arrays.copyOf(departure, size);
        requestClass = Arrays.copyOf(requestClass, size);
        outcome = Arrays.copyOf(outcome, size);
        intended = Arrays.copyOf(intended, Math.min(size, intended.length));
      }
      return new ServerRequests(
          server, arrival, departure, requestClass, outcome, intended, classNames);
    }
  }

  /**
   * The calls that one server makes of another, in the order in which they were sent, without those
   * that may wait by the caller's own wish.
   *
   * @param target the server that is called
   * @param sentNanos when each arrived there
   * @param answeredNanos when each departed from there
   */
  public record Calls(String target, long[] sentNanos, long[] answeredNanos) {}

  /** The clients' own view, which no server's analysis needs. Immutable. */
  public static final class ClientPart implements Serializable {
    private final ClientSeconds seconds;
    private final Findings.Clients findings;

    private ClientPart(ClientSeconds seconds, Findings.Clients findings) {
      this.seconds = seconds;
      this.findings = findings;
    }
  }

  /**
   * Analyses one server.
   *
   * @param rows its requests, which are not to be used again
   * @param calls the calls it makes of others, in the order of the observation's table
   * @param events the events of the whole observation
   */
  public static ServerPart ofServer(
      Rows rows, List<Calls> calls, List<Event> events, Stretch stretch, AnalysisOptions options) {
    List<CallsOut> out =
        calls.stream()
            .map(each -> new CallsOut(each.target(), each.sentNanos(), each.answeredNanos()))
            .toList();
    return new ServerPart(
        new ServerAnalysis(rows.requests(), out, events, stretch, new RadixSort(), options),
        options.windowMillis());
  }

  /** Analyses the requests of the clients as seen from their own side. */
  public static ClientPart ofClients(Rows rows, Stretch stretch) {
    ServerRequests requests = rows.requests();
    ClientSeries series = ClientAnalysis.of(requests, stretch, new RadixSort());
    return new ClientPart(series.seconds(), ClientAnalysis.findings(series, requests, stretch));
  }

  /**
   * The servers of an observation in the order of its findings: those that it lists, and then those
   * that only its requests name. The clients are among them.
   *
   * @param listed the servers of the observation
   * @param named the servers that its table names, in the order of the table
   */
  public static List<Server> servers(List<Server> listed, List<String> named) {
    List<Server> all = new ArrayList<>(listed);
    for (String name : named) {
      if (listed.stream().noneMatch(server -> server.name().equals(name))) {
        all.add(new Server(name, Analysis.UNKNOWN_TIER, List.of()));
      }
    }
    return all;
  }

  /**
   * The findings of an observation whose servers were analysed apart.
   *
   * @param servers all of {@link #servers}
   * @param parts the part of each but the clients, by its name
   * @param clients the clients' own view; null if nobody watched from their side
   * @param requests the requests of the whole observation
   * @param within those of them that arrived in the stretch
   */
  public static Findings join(
      List<Server> servers,
      Map<String, ServerPart> parts,
      @Nullable ClientPart clients,
      List<Event> events,
      Stretch stretch,
      AnalysisOptions options,
      long requests,
      long within) {
    List<Server> seen =
        servers.stream().filter(server -> !server.name().equals(Server.CLIENTS)).toList();
    List<AnalyzedServer> analysed = new ArrayList<>();
    for (Server server : seen) {
      ServerPart part = parts.get(server.name());
      if (part == null) {
        throw new IllegalArgumentException(
            "no part of " + server.name() + " among those of " + parts.keySet());
      }
      analysed.add(part.analyzed());
    }
    List<Validity> validity = Stretches.validity(stretch, within, requests);
    return new JoinedServers(seen, analysed, events, stretch, options)
        .findings(
            clients == null ? null : clients.seconds,
            clients == null ? null : clients.findings,
            validity);
  }
}
