package org.terrace.fleet;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.SeparateAnalysis;
import org.terrace.analysis.SeparateAnalysis.Calls;
import org.terrace.analysis.SeparateAnalysis.Rows;
import org.terrace.analysis.ServerPart;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.CallerTally;
import org.terrace.details.DelayCells;
import org.terrace.details.ResponseTally;
import org.terrace.observation.Event;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestClass;
import org.terrace.observation.Server;

/**
 * The analysis of one server of a trial, which any machine can do that reads the data set: of the
 * requests it reads those of the server, and the calls that it made of others. Takes about 120
 * bytes of memory for each of the server's requests, 48 for each of its calls, and 8 for each 10
 * ms. The same data set and options give the same outcome. Immutable; its serialized form is for
 * programs of one version.
 *
 * @param trial the name of the trial
 * @param revision the revision of the trial that is meant
 * @param server the server, or the clients
 * @param requests the requests of the server, by which long tasks are known
 * @param options the settings of the analysis
 */
public record ServerTask(
    String trial, String revision, String server, long requests, AnalysisOptions options)
    implements Serializable {

  /** The tasks of all trials of a data set, those with most requests first. */
  public static List<ServerTask> all(FleetStorage storage, AnalysisOptions options) {
    return all(storage, FleetReader.trials(storage), options);
  }

  /** The tasks of some trials of a data set, those with most requests first. */
  public static List<ServerTask> all(
      FleetStorage storage, List<String> trials, AnalysisOptions options) {
    List<ServerTask> tasks = new ArrayList<>();
    trials.forEach(trial -> tasks.addAll(of(storage, trial, options)));
    tasks.sort(Comparator.comparingLong(ServerTask::requests).reversed());
    return List.copyOf(tasks);
  }

  /** The tasks of a trial. */
  static List<ServerTask> of(FleetStorage storage, String trial, AnalysisOptions options) {
    FleetTrial described = FleetReader.trial(storage, trial);
    Map<String, Long> requests = new HashMap<>();
    FleetReader.files(storage, trial)
        .forEach(file -> requests.merge(file.server(), file.requests(), Long::sum));
    return TrialJoin.servers(storage, trial, described).stream()
        .map(server ->
            new ServerTask(
                trial,
                described.revision(),
                server.name(),
                requests.getOrDefault(server.name(), 0L),
                options))
        .toList();
  }

  /**
   * Does the task.
   *
   * @throws TerraceException if a file is missing or damaged, or has other requests than the data
   *     set lists, or if the trial is replaced meanwhile
   */
  public ServerOutcome run(FleetStorage storage) {
    ServerOutcome outcome = outcome(storage, FleetReader.unchanged(storage, trial, revision));
    FleetReader.unchanged(storage, trial, revision);
    return outcome;
  }

  private ServerOutcome outcome(FleetStorage storage, FleetTrial described) {
    List<FleetFile> files = FleetReader.files(storage, trial);
    List<Event> events = FleetReader.events(storage, trial);
    OwnRequests own = new OwnRequests(storage, described);
    files.stream().filter(file -> file.server().equals(server)).forEach(own::read);
    Rows rows = own.rows();
    boolean isClients = server.equals(Server.CLIENTS);
    ServerPart part =
        isClients
            ? null
            : SeparateAnalysis.ofServer(
                rows, calls(storage, described, files), events, described.stretch(), options);
    return new ServerOutcome(
        trial,
        revision,
        server,
        part,
        isClients ? SeparateAnalysis.ofClients(rows, described.stretch()) : null,
        isClients ? List.of() : own.tally.callers(),
        part != null && part.isDisturbed() ? own.cells.cells() : null,
        own.responses.classes(server),
        own.size,
        own.within);
  }

  /** The calls that the server makes, by the called one's place among the trial's servers. */
  private List<Calls> calls(FleetStorage storage, FleetTrial described, List<FleetFile> files) {
    Map<String, List<FleetFile>> ofTarget = new LinkedHashMap<>();
    described.servers().forEach(name -> ofTarget.put(name, new ArrayList<>()));
    for (FleetFile file : files) {
      List<FleetFile> ofServer = ofTarget.get(file.server());
      if (ofServer == null) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            storage
                + "/"
                + file.path(trial)
                + ": its server is none of the trial's, which are "
                + described.servers()
                + ". Export the trial again.");
      }
      if (file.caller().equals(server) && !file.server().equals(server)) {
        ofServer.add(file);
      }
    }
    boolean[] waits = RequestClass.thatMayWait(described.requestClasses());
    List<Calls> calls = new ArrayList<>();
    ofTarget.forEach((target, theirs) -> {
      if (!theirs.isEmpty()) {
        Calls found = calls(storage, described, target, theirs, waits);
        if (found.sentNanos().length > 0) {
          calls.add(found);
        }
      }
    });
    return calls;
  }

  private Calls calls(
      FleetStorage storage,
      FleetTrial described,
      String target,
      List<FleetFile> files,
      boolean[] waits) {
    ClassNumbers classes = new ClassNumbers(described.requestClasses());
    int most = Math.toIntExact(files.stream().mapToLong(FleetFile::requests).sum());
    long[] sent = new long[most];
    long[] answered = new long[most];
    int[] size = new int[1];
    for (FleetFile file : files) {
      ListedFile read = new ListedFile(file);
      FleetReader.requests(
          storage,
          trial,
          file,
          (position, requestClass, intended, arrival, departure, outcome) -> {
            if (read.admits(arrival) && !waits[classes.of(requestClass)]) {
              sent[size[0]] = arrival;
              answered[size[0]++] = departure;
            }
          });
      read.check(storage);
    }
    return new Calls(target, Arrays.copyOf(sent, size[0]), Arrays.copyOf(answered, size[0]));
  }

  /** A file as it is read, against what the table of files says of it. */
  private final class ListedFile {
    private final FleetFile file;
    private long requests;
    private long first;
    private long last;

    ListedFile(FleetFile file) {
      this.file = file;
    }

    /** Counts a request; false if it is beyond those that there should be. */
    boolean admits(long arrivalNanos) {
      first = requests == 0 ? arrivalNanos : first;
      last = arrivalNanos;
      return ++requests <= file.requests();
    }

    void check(FleetStorage storage) {
      if (requests != file.requests()
          || first != file.firstArrivalNanos()
          || last != file.lastArrivalNanos()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "%s/%s: it has %d requests that came from %d to %d; expected the %d from %d to %d that the table of files lists. Export the trial again."
                .formatted(
                    storage,
                    file.path(trial),
                    requests,
                    first,
                    last,
                    file.requests(),
                    file.firstArrivalNanos(),
                    file.lastArrivalNanos()));
      }
    }
  }

  /** The numbers of a trial's classes by their names. */
  private final class ClassNumbers {
    private final Map<String, Integer> numbers = new HashMap<>();

    ClassNumbers(List<String> names) {
      names.forEach(name -> numbers.put(name, numbers.size()));
    }

    int of(String name) {
      Integer number = numbers.get(name);
      if (number == null) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "the trial "
                + trial
                + " has a request of the class '"
                + name
                + "', which its row in the table of trials does not list. Export it again.");
      }
      return number;
    }
  }

  /** The requests of the server as they come from its files, which are of several callers. */
  private final class OwnRequests {
    private final FleetStorage storage;
    private final FleetTrial described;
    private final ClassNumbers classes;
    private final CallerTally tally;
    private final ResponseTally responses;
    private final DelayCells.Tally cells;
    private final long[] arrival;
    private final long[] departure;
    private final long[] intended;
    private final int[] classNumber;
    private final byte[] outcomes;

    /** The place of each in the trial's table, and below it its place here. */
    private final long[] order;

    private int size;
    private long within;

    OwnRequests(FleetStorage storage, FleetTrial described) {
      this.storage = storage;
      this.described = described;
      classes = new ClassNumbers(described.requestClasses());
      tally = new CallerTally(described.stretch().startNanos(), described.stretch().endNanos());
      responses =
          new ResponseTally(described.stretch().startNanos(), described.stretch().endNanos());
      cells =
          new DelayCells.Tally(described.stretch().startNanos(), described.stretch().endNanos());
      int most = Math.toIntExact(requests);
      arrival = new long[most];
      departure = new long[most];
      intended = new long[server.equals(Server.CLIENTS) ? most : 0];
      classNumber = new int[most];
      outcomes = new byte[most];
      order = new long[most];
    }

    void read(FleetFile file) {
      ListedFile read = new ListedFile(file);
      FleetReader.requests(
          storage,
          trial,
          file,
          (position, requestClass, intendedNanos, arrivalNanos, departureNanos, outcome) -> {
            if (read.admits(arrivalNanos)) {
              add(position, requestClass, intendedNanos, arrivalNanos, departureNanos, outcome);
              tally.add(file.caller(), arrivalNanos, departureNanos, outcome);
              long from = server.equals(Server.CLIENTS) ? intendedNanos : arrivalNanos;
              responses.add(requestClass, from, departureNanos, outcome);
              if (!RequestClass.mayWait(requestClass)) {
                cells.add(arrivalNanos, departureNanos);
              }
            }
          });
      read.check(storage);
    }

    private void add(
        long position,
        String requestClass,
        long intendedNanos,
        long arrivalNanos,
        long departureNanos,
        Outcome outcome) {
      order[size] = position << Integer.SIZE | size;
      arrival[size] = arrivalNanos;
      departure[size] = departureNanos;
      classNumber[size] = classes.of(requestClass);
      outcomes[size] = (byte) outcome.ordinal();
      if (intended.length > 0) {
        intended[size] = intendedNanos;
      }
      size++;
      within +=
          arrivalNanos >= described.stretch().startNanos()
                  && arrivalNanos < described.stretch().endNanos()
              ? 1
              : 0;
    }

    /** The requests in the order of the trial's table. */
    Rows rows() {
      Arrays.sort(order, 0, size);
      Rows rows = new Rows(server, size, described.requestClasses());
      long last = -1;
      for (int i = 0; i < size; i++) {
        long position = order[i] >>> Integer.SIZE;
        if (position == last) {
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              storage
                  + ": the trial "
                  + trial
                  + " has the request at position "
                  + position
                  + " twice at "
                  + server
                  + "; expected it once. Export the trial again.");
        }
        last = position;
        int at = (int) order[i];
        rows.add(
            arrival[at],
            departure[at],
            classNumber[at],
            OUTCOMES[outcomes[at]],
            intended.length > 0 ? intended[at] : arrival[at]);
      }
      return rows;
    }
  }

  private static final Outcome[] OUTCOMES = Outcome.values();
}
