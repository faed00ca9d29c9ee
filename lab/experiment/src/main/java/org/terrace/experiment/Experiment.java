package org.terrace.experiment;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.capture.CaptureOptions;
import org.terrace.load.Bursts;
import org.terrace.load.mix.WeightedRequest;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.setting.Collector;
import org.terrace.nodes.setting.ProcessorLimit;
import org.terrace.nodes.setting.SoftLimits;
import org.terrace.nodes.setting.TierProgram;
import org.terrace.nodes.setting.WebServer;

/**
 * An experiment: which service is deployed, how it is loaded, what is broken meanwhile and what is
 * watched. Read from a file by a reader of specifications, or made by a program. Immutable.
 *
 * @param name its name, lower-case words joined by hyphens
 * @param topology the servers of each tier
 * @param application the application deployed, {@code board} where no program plays its tier
 * @param programs programs of the user's own that play tiers, by the tier's name
 * @param database the database management system, {@code postgresql}, {@code mariadb} or {@code
 *     ndb-like}, of which the middleware tier's servers are the SQL nodes and the database tier's
 *     the data nodes
 * @param replication how several databases are kept the same
 * @param web the program that plays the web servers
 * @param load who asks, and how often
 * @param mix the mix of the board's interactions, {@code read-write} or {@code browse-only}
 * @param requests the mix of requests of one's own, by their weights; empty when {@code mix} holds
 * @param phases the stretches of a trial
 * @param faults what is broken on purpose
 * @param observe what is watched
 * @param cpuLimits processor limits, by the name of a tier or of a server; a server's own limit
 *     goes before that of its tier
 * @param memoryBytes limits of memory in bytes, by the name of a tier or of a server
 * @param diskBytesPerSecond limits of what storage gives, and of what it takes, likewise
 * @param networkBytesPerSecond limits of what comes by the network, and of what goes, likewise
 * @param heapBytes the largest Java heap in bytes, by the name of a tier or of a server
 * @param softLimits limits of application servers' threads, pools and backlogs, by the name of the
 *     tier or of a server
 * @param collectors garbage collectors, by the name of a tier or of a server
 * @param bursts the burstiness of the load; empty: users come evenly
 * @param failIf the conditions under which the result has failed
 * @param data the data set
 * @param network the first two octets of the servers' loopback addresses, for example {@code 127.0}
 * @param seed the seed of everything random
 */
public record Experiment(
    String name,
    Topology topology,
    String application,
    Map<String, TierProgram> programs,
    String database,
    Replication replication,
    WebServer web,
    Load load,
    String mix,
    List<WeightedRequest> requests,
    Phases phases,
    List<Fault> faults,
    Observe observe,
    Map<String, ProcessorLimit> cpuLimits,
    Map<String, Long> memoryBytes,
    Map<String, Long> diskBytesPerSecond,
    Map<String, Long> networkBytesPerSecond,
    Map<String, Long> heapBytes,
    Map<String, SoftLimits> softLimits,
    Map<String, Collector> collectors,
    Optional<Bursts> bursts,
    List<Threshold> failIf,
    Data data,
    String network,
    long seed) {

  /** The only application so far. */
  public static final String BOARD = "board";

  /** PostgreSQL as the database management system. */
  public static final String POSTGRESQL = "postgresql";

  /** MariaDB as the database management system. */
  public static final String MARIADB = "mariadb";

  /** SQL nodes before partitioned data nodes, in the manner of NDB. */
  public static final String NDB_LIKE = "ndb-like";

  private static final int MARIADB_PORT = 3306;
  private static final Load ANY_LOAD = new Load.Closed(1, new Distribution.Constant(Duration.ZERO));
  private static final Phases ANY_PHASES =
      new Phases(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO);

  /** Copies the collections. */
  public Experiment {
    programs = Map.copyOf(programs);
    requests = List.copyOf(requests);
    faults = List.copyOf(faults);
    failIf = List.copyOf(failIf);
    cpuLimits = Map.copyOf(cpuLimits);
    memoryBytes = Map.copyOf(memoryBytes);
    diskBytesPerSecond = Map.copyOf(diskBytesPerSecond);
    networkBytesPerSecond = Map.copyOf(networkBytesPerSecond);
    heapBytes = Map.copyOf(heapBytes);
    softLimits = Map.copyOf(softLimits);
    collectors = Map.copyOf(collectors);
  }

  /** The program of the user's own that plays a tier; empty when Terrace's does. */
  public Optional<TierProgram> program(Tier tier) {
    return Optional.ofNullable(programs.get(tier.label()));
  }

  /** The names of the web servers that are Terrace's reverse proxy. */
  Set<String> proxies() {
    return names(Tier.WEB, web == WebServer.PROXY && program(Tier.WEB).isEmpty());
  }

  /** Whether there is a database that Terrace runs. */
  public boolean hasDatabase() {
    return topology.database() > 0 && program(Tier.DATABASE).isEmpty();
  }

  /** Whether controllers of Terrace's own stand before the databases. */
  boolean hasController() {
    return topology.middleware() > 0 && !isNdbLike() && program(Tier.MIDDLEWARE).isEmpty();
  }

  /** The names of the servers of Terrace's own that own a cluster of databases, if there is one. */
  Set<String> clusterOwners() {
    Tier tier = hasController() ? Tier.MIDDLEWARE : Tier.APP;
    boolean isCluster = hasController() || topology.database() > 1;
    boolean isOwned = hasDatabase() && !isNdbLike() && isCluster && program(tier).isEmpty();
    return names(tier, isOwned);
  }

  private Set<String> names(Tier tier, boolean areThere) {
    return IntStream.rangeClosed(1, areThere ? topology.count(tier) : 0)
        .mapToObj(tier::serverName)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The CPU limit of a server in cores; empty when it may use all. */
  public OptionalDouble cpuLimit(Tier tier, int number) {
    Optional<ProcessorLimit> limit = of(cpuLimits, tier, number);
    return limit.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(limit.get().cores());
  }

  /** The servers whose processor time is to be limited. */
  Set<String> limitedServers() {
    return limitedServers(_ -> true);
  }

  private Set<String> limitedServers(Predicate<ProcessorLimit> which) {
    Set<String> limited = new TreeSet<>();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= topology.count(tier); number++) {
        if (of(cpuLimits, tier, number).filter(which).isPresent()) {
          limited.add(tier.serverName(number));
        }
      }
    }
    return limited;
  }

  /** The time between two decisions of a server's frequency governor; empty when it has none. */
  public Optional<Duration> governor(Tier tier, int number) {
    return of(cpuLimits, tier, number).flatMap(ProcessorLimit::governor);
  }

  /** The soft limits of an application server. */
  public SoftLimits softLimits(int number) {
    SoftLimits own = softLimits.getOrDefault(Tier.APP.serverName(number), SoftLimits.NONE);
    return own.or(softLimits.getOrDefault(Tier.APP.label(), SoftLimits.NONE));
  }

  /** The garbage collector of a server. */
  public Collector collector(Tier tier, int number) {
    return of(collectors, tier, number).orElse(Collector.SERIAL);
  }

  /** A server's own value, or else that of its tier. */
  private static <T> Optional<T> of(Map<String, T> values, Tier tier, int number) {
    T own = values.get(tier.serverName(number));
    return Optional.ofNullable(own != null ? own : values.get(tier.label()));
  }

  /** The port that the servers of a tier listen at. */
  public int port(Tier tier) {
    boolean isMariaDb = tier == Tier.DATABASE && database.equals(MARIADB);
    boolean isNode = isNdbLike() && (tier == Tier.DATABASE || tier == Tier.MIDDLEWARE);
    return hasDatabase() && (isMariaDb || isNode) ? MARIADB_PORT : tier.port();
  }

  /** Whether the database is of SQL nodes and data nodes. */
  public boolean isNdbLike() {
    return hasDatabase() && database.equals(NDB_LIKE);
  }

  /** The servers whose processor time is limited in cores of another machine. */
  List<String> calibratedServers() {
    return limitedServers(ProcessorLimit::calibrated).stream().toList();
  }

  /**
   * This experiment with its calibrated limits in cores of the machines that its servers are on,
   * for each such server by itself.
   *
   * @param slowdown the multiple of the reference machine's time that a server's machine takes
   */
  Experiment on(ToDoubleFunction<String> slowdown) {
    Map<String, ProcessorLimit> limits = new HashMap<>(cpuLimits);
    limits.values().removeIf(ProcessorLimit::calibrated);
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= topology.count(tier); number++) {
        String server = tier.serverName(number);
        of(cpuLimits, tier, number)
            .filter(ProcessorLimit::calibrated)
            .ifPresent(limit -> limits.put(server, limit.on(slowdown.applyAsDouble(server))));
      }
    }
    return new Experiment(
        name,
        topology,
        application,
        programs,
        database,
        replication,
        web,
        load,
        mix,
        requests,
        phases,
        faults,
        observe,
        limits,
        memoryBytes,
        diskBytesPerSecond,
        networkBytesPerSecond,
        heapBytes,
        softLimits,
        collectors,
        bursts,
        failIf,
        data,
        network,
        seed);
  }

  /**
   * The experiment whatever its name, its load and the conditions on its result: what decides which
   * servers are deployed and how. Equal for experiments that may use the same servers.
   */
  public Experiment asDeployed() {
    return new Experiment(
        "deployed",
        topology,
        application,
        programs,
        database,
        replication,
        web,
        ANY_LOAD,
        "",
        List.of(),
        ANY_PHASES,
        faults,
        observe,
        cpuLimits,
        memoryBytes,
        diskBytesPerSecond,
        networkBytesPerSecond,
        heapBytes,
        softLimits,
        collectors,
        Optional.empty(),
        List.of(),
        data,
        network,
        seed);
  }

  /**
   * Whether it may run on servers that other experiments used before, or will. One that breaks
   * servers, slows their clocks, captures packets or watches sessions leaves or finds traces of
   * others, and what a program of the user's own keeps is not known.
   */
  public boolean permitsSharedServers() {
    return faults.isEmpty()
        && !observe.packets()
        && observe.sessions() == 0
        && programs.isEmpty()
        && hasDatabase()
        && cpuLimits.values().stream().allMatch(limit -> limit.governor().isEmpty());
  }

  /** The limit of a server's memory in bytes; empty when it may use all. */
  public Optional<Long> memoryBytes(Tier tier, int number) {
    return of(memoryBytes, tier, number);
  }

  /** The limit of a server's storage in bytes a second; empty when it may use all. */
  public Optional<Long> diskBytesPerSecond(Tier tier, int number) {
    return of(diskBytesPerSecond, tier, number);
  }

  /** The limit of a server's network in bytes a second; empty when it may use all. */
  public Optional<Long> networkBytesPerSecond(Tier tier, int number) {
    return of(networkBytesPerSecond, tier, number);
  }

  /** The largest Java heap of a server in bytes; empty when the tier's default holds. */
  public Optional<Long> heapBytes(Tier tier, int number) {
    return of(heapBytes, tier, number);
  }

  /**
   * The observations that a trial makes.
   *
   * @param packets whether the network is captured
   * @param sample the time between two readings of each server's resources, 100 ms or more
   * @param sessions how many visitors watch whether the site keeps them signed in and their drafts,
   *     0 to {@value SessionWatch#VISITORS_MAX}
   * @param snapLength the most bytes kept of a packet, {@value #SHORTEST_SNAP_LENGTH} to {@value
   *     #LONGEST_SNAP_LENGTH}, which cuts nothing
   */
  public record Observe(boolean packets, Duration sample, int sessions, int snapLength) {
    /** The fewest bytes that may be kept of a packet. */
    public static final int SHORTEST_SNAP_LENGTH = CaptureOptions.MINIMUM_SNAP_LENGTH;

    /** The most bytes of a packet that there are. */
    public static final int LONGEST_SNAP_LENGTH = CaptureOptions.MAXIMUM_SNAP_LENGTH;

    /** The shortest time between two readings. */
    public static final Duration SHORTEST_SAMPLE = Duration.ofMillis(100);

    /** Checks the range. */
    public Observe {
      if (sample.compareTo(SHORTEST_SAMPLE) < 0) {
        throw new IllegalArgumentException("sample " + sample);
      }
      if (sessions < 0 || sessions > SessionWatch.VISITORS_MAX) {
        throw new IllegalArgumentException("sessions " + sessions);
      }
      if (snapLength < SHORTEST_SNAP_LENGTH || snapLength > LONGEST_SNAP_LENGTH) {
        throw new IllegalArgumentException("snap length " + snapLength);
      }
    }
  }

  /**
   * The data set of the application.
   *
   * @param scale its size; 1 is the published one, above 0 and at most {@value #MAXIMUM_SCALE}
   * @param seed the seed it is generated from
   */
  public record Data(double scale, long seed) {
    /** The largest data set. */
    public static final double MAXIMUM_SCALE = 10;

    /** Checks the range. */
    public Data {
      if (!(scale > 0 && scale <= MAXIMUM_SCALE)) {
        throw new IllegalArgumentException("scale " + scale);
      }
    }
  }
}
