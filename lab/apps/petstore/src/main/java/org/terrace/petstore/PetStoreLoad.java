package org.terrace.petstore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.terrace.cart.process.ReplicaSource;
import org.terrace.cart.process.Samples;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.control.Naming;
import org.terrace.core.Flags;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Probes;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.softstate.SoftStateCounters;
import org.terrace.invocation.softstate.SoftStateOptions;

/**
 * Front ends of the pet store: each page asks n services at once and is ready when all have
 * replied.
 *
 * <p>Every client is a front end of its own, in a closed loop; in the file of requests, {@code
 * page-N} is a page of N services, beside a row for each call of a service.
 */
public final class PetStoreLoad {
  static final String USAGE =
      ReplicaSource.USAGE
          + """

            [--services all|SERVICE,...] [--services-a-page ALL]
            [--clients 4] [--pause-ms 50] [--duration-s 10] [--warm-up-s 0] [--reads 0.5] [--pets 1000]
            [--k 1] [--discovery adaptive|first-reply] [--hedge-share 0.1] [--seed 1]
            [--csv FILE] [--json FILE]
          Each of --replicas serves all the services named.
          """
          + ReplicaSource.EXPLANATION;

  private static final int CSV_ROWS_MAX = 2_000_000;
  private static final int HISTOGRAM_BINS = 200;
  private static final long HISTOGRAM_BIN_NANOS = 10_000_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000 * NANOS_PER_MILLI;

  /** The options of the program, as its flags give them. */
  private record Options(
      ReplicaSource source,
      List<PetServiceKind> kinds,
      int servicesAPage,
      int clients,
      int pauseMillis,
      int durationSeconds,
      int warmUpSeconds,
      double readShare,
      int pets,
      SoftStateOptions softState,
      long seed,
      Optional<Path> csv,
      Optional<Path> json) {
    static Options of(Flags flags) {
      List<PetServiceKind> kinds =
          flags.value(
              "--services",
              PetStoreLoad::kinds,
              () -> PetStoreLoad.kinds("all"),
              "all, or names of services");
      Options options =
          new Options(
              ReplicaSource.of(flags),
              kinds,
              flags.number("--services-a-page", kinds.size(), 1, kinds.size()),
              flags.number("--clients", 4, 1, 10_000),
              flags.number("--pause-ms", 50, 0, 60_000),
              flags.number("--duration-s", 10, 1, 86_400),
              flags.number("--warm-up-s", 0, 0, 86_400),
              flags.decimal("--reads", 0.5, 0, 1),
              flags.number("--pets", 1000, 1, 10_000_000),
              SoftStateProcess.softState(flags),
              flags.value("--seed", Long::valueOf, () -> 1L, "a whole number"),
              flags.path("--csv"),
              flags.path("--json"));
      flags.end();
      return options;
    }
  }

  private final Options options;
  private final Probes probes;
  private final TimeSource time = TimeSource.system();
  private final long startNanos;
  private final long endNanos;
  private final Samples pages = new Samples();
  private final Samples readPages = new Samples();
  private final Map<PetServiceKind, Samples> services = new EnumMap<>(PetServiceKind.class);
  private final ExecutorService parallel = Executors.newVirtualThreadPerTaskExecutor();
  private long failed;
  private String firstFailure = "";
  private long hedges;
  private long askedAgain;

  private PetStoreLoad(Options options, Probes probes) {
    this.options = options;
    this.probes = probes;
    startNanos = time.elapsedNanos() + options.warmUpSeconds() * NANOS_PER_SECOND;
    endNanos = startNanos + options.durationSeconds() * NANOS_PER_SECOND;
    options.kinds().forEach(kind -> services.put(kind, new Samples()));
  }

  /** Runs the load; the exit code is 1 if a page failed. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    System.exit(
        SoftStateProcess.run("PetStoreLoad", USAGE, arguments, flags -> run(flags) ? 0 : 1));
  }

  /** Runs the load, writes its files, and says whether no page failed. */
  static boolean run(Flags flags) throws InterruptedException, IOException {
    Options options = Options.of(flags);
    Probes probes = Probes.of("clients", options.csv().isPresent() ? CSV_ROWS_MAX : 1);
    PetStoreLoad load = new PetStoreLoad(options, probes);
    String json;
    try (Naming naming = options.source().naming(load.names())) {
      load.putLoad(naming);
      json = load.summary(load.replicas(naming));
    }
    System.out.println(json);
    if (options.csv().isPresent()) {
      probes.write(options.csv().get());
    }
    if (options.json().isPresent()) {
      Path file = options.json().get();
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Files.writeString(part, json + System.lineSeparator());
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return load.failed == 0;
  }

  private static List<PetServiceKind> kinds(String text) {
    return text.equals("all")
        ? List.of(PetServiceKind.values())
        : Arrays.stream(text.split(",", -1)).map(PetServiceKind::of).toList();
  }

  private List<String> names() {
    return options.kinds().stream().map(PetServiceKind::service).toList();
  }

  private void putLoad(Naming naming) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < options.clients(); i++) {
      int number = i;
      threads.add(Thread.ofPlatform().start(() -> runFrontEnd(naming, number)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    parallel.close();
  }

  /** The number of replicas that serve any of the services. */
  private int replicas(Naming naming) {
    Set<String> replicas = new TreeSet<>();
    names().forEach(name -> replicas.addAll(ReplicaSource.found(naming, name).keySet()));
    return replicas.size();
  }

  private void runFrontEnd(Naming naming, int number) {
    RandomGenerator random =
        RandomGeneratorFactory.of("L64X128MixRandom").create(options.seed() + number);
    long client = random.nextLong();
    ClientOptions clientOptions = ClientOptions.of(naming);
    if (options.csv().isPresent()) {
      clientOptions = clientOptions.withProbes(probes);
    }
    clientOptions = clientOptions.withSoftState(options.softState());
    try (ServiceClient frontEnd = ServiceClient.open(clientOptions)) {
      Map<PetServiceKind, PetService> stubs = new EnumMap<>(PetServiceKind.class);
      for (PetServiceKind kind : options.kinds()) {
        stubs.put(kind, frontEnd.stub(PetService.class, kind.service()));
      }
      long pauseNanos = options.pauseMillis() * NANOS_PER_MILLI;
      LockSupport.parkNanos(random.nextLong(pauseNanos + 1));
      for (long page = 1; time.elapsedNanos() < endNanos; page++) {
        page(stubs, random, new RequestIdentity(client, page));
        LockSupport.parkNanos(pauseNanos);
      }
      synchronized (this) {
        for (String name : names()) {
          SoftStateCounters counters =
              frontEnd.softStateCounters(name).orElse(SoftStateCounters.NONE);
          hedges += counters.hedges();
          askedAgain += counters.askedAgain();
        }
      }
    }
  }

  /** Asks some of the services, drawn at random, all at once. */
  private void page(
      Map<PetServiceKind, PetService> stubs, RandomGenerator random, RequestIdentity page) {
    List<PetServiceKind> chosen = new ArrayList<>(options.kinds());
    Collections.shuffle(chosen, Random.from(random));
    boolean isRead = random.nextDouble() < options.readShare();
    String pet = "pet-" + random.nextInt(options.pets());
    long arrival = probes.nowNanos();
    long begin = time.elapsedNanos();
    boolean good = true;
    List<CompletableFuture<Void>> parts = new ArrayList<>();
    for (PetServiceKind kind : chosen.subList(0, options.servicesAPage())) {
      PetService stub = stubs.get(kind);
      if (stub != null) {
        parts.add(CompletableFuture.runAsync(() -> ask(kind, stub, isRead, pet), parallel));
      }
    }
    try {
      CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      good = false;
      noteFailure(String.valueOf(e.getCause()));
    }
    long end = time.elapsedNanos();
    if (good && begin >= startNanos) {
      synchronized (this) {
        pages.add(end - begin);
        if (isRead) {
          readPages.add(end - begin);
        }
      }
    }
    probes.add(
        page,
        "page-" + options.servicesAPage(),
        arrival,
        probes.nowNanos(),
        0,
        0,
        good ? "OK" : "ERROR");
  }

  private synchronized void noteFailure(String reason) {
    failed++;
    firstFailure = firstFailure.isEmpty() ? reason : firstFailure;
  }

  private void ask(PetServiceKind kind, PetService stub, boolean isRead, String pet)
      throws InvocationException {
    long begin = time.elapsedNanos();
    if (isRead) {
      stub.query(pet);
    } else {
      stub.note(pet);
    }
    long end = time.elapsedNanos();
    Samples samples = services.get(kind);
    if (begin >= startNanos && samples != null) {
      synchronized (this) {
        samples.add(end - begin);
      }
    }
  }

  private String summary(int replicas) {
    double seconds = options.durationSeconds();
    return """
    {
      "replicas": %d,
      "servicesAPage": %d,
      "redundancy": %d,
      "discovery": "%s",
      "seed": %d,
      "pages": %s,
      "readPages": %s,
      "pagesFailed": %d,
      "firstFailure": "%s",
      "histogramBinMillis": 10,
      "histogram": %s,
      "services": {%s},
      "hedges": %d,
      "askedAgain": %d,
      "csvRowsDropped": %d
    }\
    """
        .formatted(
            replicas,
            options.servicesAPage(),
            options.softState().redundancy(),
            options.softState().discovery(),
            options.seed(),
            pages.toJson(seconds),
            readPages.toJson(seconds),
            failed,
            firstFailure.replaceAll("[\"\\\\\\p{Cntrl}]", " "),
            Arrays.toString(pages.histogram(HISTOGRAM_BIN_NANOS, HISTOGRAM_BINS)),
            services.entrySet().stream()
                .map(e -> "\"" + e.getKey().service() + "\": " + e.getValue().toJson(seconds))
                .collect(Collectors.joining(", ")),
            hedges,
            askedAgain,
            options.csv().isPresent() ? probes.dropped() : 0);
  }
}
