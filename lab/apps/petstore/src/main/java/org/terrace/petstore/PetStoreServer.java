package org.terrace.petstore;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.terrace.cart.process.LoadMeter;
import org.terrace.cart.process.ServiceMembership;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.RequestDeduplication;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.control.Style;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.groups.Group;
import org.terrace.invocation.Execution;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.invocation.softstate.ServiceRegistry;
import org.terrace.invocation.softstate.SoftStateExecution;
import org.terrace.invocation.softstate.UpdateScope;

/**
 * A replica of any of the seven services, all in one process.
 *
 * <p>As a program it prints {@code ready} when it accepts calls and ends cleanly on SIGTERM. Start
 * and close are called by one thread.
 */
public final class PetStoreServer implements AutoCloseable {
  static final String USAGE =
      """
      --name NAME --address ADDRESS --port PORT --group ADDRESS:PORT,...
        [--services all|SERVICE,...] [--cpu-micros 1000] [--writes 2] [--directory DIR]
        [--level LOCAL|ALL|K] [--gossip-ms 100] [--calls-max 4096] [--seed 1]
        [--scale-services SERVICE,...]
      A SERVICE is null, cpu-small, cpu-large, io-small, io-large, cpu-io-small or cpu-io-large.
      --group lists all replicas of the group; one of them is at this server's address. In its
      place, --join ADDRESS:PORT,... names some that run, for one more.
      --scale-services says which services get more replicas and fewer; those of --services if left
      out.
      """
          + ServiceMembership.USAGE;

  private static final String APPLICATION = "petstore";

  /** The options of the program, as its flags give them. */
  private record Options(
      Set<PetServiceKind> kinds,
      Set<PetServiceKind> scaled,
      int cpuMicros,
      int writes,
      Path directory,
      WriteLevel level,
      String levelText,
      int gossipMillis,
      int callsMax,
      long seed) {
    static Options of(Flags flags) {
      Set<PetServiceKind> kinds = kinds(flags, "--services", "all");
      return new Options(
          kinds,
          kinds(flags, "--scale-services", names(kinds)),
          flags.number("--cpu-micros", 1000, 0, 1_000_000),
          flags.number("--writes", 2, 0, 1_000),
          Path.of(flags.text("--directory", System.getProperty("java.io.tmpdir"))),
          SoftStateProcess.level(flags),
          flags.text("--level", "LOCAL"),
          flags.number("--gossip-ms", 100, 1, 60_000),
          flags.number("--calls-max", 4096, 1, 1_000_000),
          flags.value("--seed", Long::valueOf, () -> 1L, "a whole number"));
    }

    private static Set<PetServiceKind> kinds(Flags flags, String name, String otherwise) {
      return flags.value(
          name, PetStoreServer::kinds, () -> PetStoreServer.kinds(otherwise), "all, or services");
    }

    private static String names(Set<PetServiceKind> kinds) {
      return kinds.stream().map(PetServiceKind::service).collect(Collectors.joining(","));
    }

    /** The flags of one more replica of one service, as if it had been given these. */
    List<String> ofOneMore(String service) {
      return List.of(
          "--services",
          service,
          "--scale-services",
          names(scaled),
          "--cpu-micros",
          String.valueOf(cpuMicros),
          "--writes",
          String.valueOf(writes),
          "--directory",
          directory.toString(),
          "--level",
          levelText,
          "--gossip-ms",
          String.valueOf(gossipMillis),
          "--calls-max",
          String.valueOf(callsMax),
          "--seed",
          String.valueOf(seed));
    }
  }

  private final Group group;
  private final ReplicatedCollections collections;
  private final ServiceServer server;
  private final ServiceMembership membership;
  private final Map<String, LoadMeter> meters;
  private final List<Work> works = new ArrayList<>();

  private PetStoreServer(
      Group group,
      ReplicatedCollections collections,
      ServiceServer server,
      ServiceMembership membership,
      Map<String, LoadMeter> meters) {
    this.group = group;
    this.collections = collections;
    this.server = server;
    this.membership = membership;
    this.meters = meters;
  }

  /** Runs a replica until the process is told to end. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    int exitCode =
        SoftStateProcess.run(
            "PetStoreServer",
            USAGE,
            arguments,
            flags -> {
              PetStoreServer server = start(flags);
              SoftStateProcess.serveUntilTold(server::close);
              return 0;
            });
    System.exit(exitCode);
  }

  /** Starts a replica; it accepts calls when this returns. */
  static PetStoreServer start(Flags flags) {
    String name = flags.text("--name");
    InetSocketAddress address =
        new InetSocketAddress(flags.text("--address"), flags.number("--port", 8080, 0, 65_535));
    Options options = Options.of(flags);
    ServiceMembership.Settings settings = ServiceMembership.Settings.of(flags);
    Group group = SoftStateProcess.join(APPLICATION, name, address, flags);
    flags.end();
    ReplicatedCollections collections =
        ReplicatedCollections.open(
            group,
            CollectionsOptions.defaults()
                .withGossipPeriod(Duration.ofMillis(options.gossipMillis)));
    Map<String, LoadMeter> meters = new ConcurrentHashMap<>();
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(name)
                .withAddress(address)
                .withCallsMax(options.callsMax)
                .withExecution((service, epoch) -> {
                  LoadMeter meter =
                      new LoadMeter(
                          execution(service, collections, options.level), settings.full());
                  meters.put(service, meter);
                  return meter;
                }));
    PetStoreServer started =
        new PetStoreServer(
            group,
            collections,
            server,
            ServiceMembership.open(
                group, server, settings, PetStoreServer.class, options::ofOneMore),
            meters);
    started.export(options, options.directory.resolve(APPLICATION + "-" + name));
    started.membership.scale(
        options.scaled.stream().map(PetServiceKind::service).toList(), settings);
    return started;
  }

  /** The seven run each request once; the registry is only read. */
  private static Execution execution(
      String service, ReplicatedCollections collections, WriteLevel level) {
    UpdateScope scope =
        service.equals(ServiceRegistry.NAME)
            ? (request, answers, work, effective) -> Optional.of(work.call())
            : RequestDeduplication.open(collections, service, level)::execute;
    return new SoftStateExecution(scope, () -> collections.metrics().gaps() > 0);
  }

  private void export(Options options, Path directory) {
    try {
      Files.createDirectories(directory);
      for (PetServiceKind kind : options.kinds) {
        Work work = Work.open(kind, options.cpuMicros, options.writes, options.seed, directory);
        works.add(work);
        String service = kind.service();
        server.export(
            service,
            PetService.class,
            new SoftPetService(kind, work, collections, options.level),
            Style.SOFT_STATE);
        LoadMeter meter = Objects.requireNonNull(meters.get(service));
        membership.offer(service, meter::load);
      }
    } catch (IOException e) {
      close();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot make a scratch file in " + directory + " (" + e + "): give another --directory.",
          e);
    }
  }

  private static Set<PetServiceKind> kinds(String text) {
    if (text.equals("all")) {
      return EnumSet.allOf(PetServiceKind.class);
    }
    Set<PetServiceKind> kinds = EnumSet.noneOf(PetServiceKind.class);
    Arrays.stream(text.split(",", -1)).map(PetServiceKind::of).forEach(kinds::add);
    return kinds;
  }

  /** The port at which it listens for calls. */
  int port() {
    return server.endpoint().port();
  }

  @Override
  public void close() {
    membership.leave();
    server.close();
    membership.handOver(collections);
    collections.close();
    group.close();
    for (Work work : works) {
      try {
        work.close();
      } catch (IOException e) {
        System.err.println("petstore: while ending: " + e.getMessage());
      }
    }
  }
}
