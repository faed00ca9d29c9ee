package org.terrace.cart.process;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.control.Style;
import org.terrace.core.Flags;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.groups.Group;
import org.terrace.groups.View;
import org.terrace.groups.service.GroupServices;
import org.terrace.groups.service.ProcessLauncher;
import org.terrace.groups.service.ScalingOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.invocation.softstate.ServiceRegistry;
import org.terrace.middleware.Endpoint;

/**
 * A process's part in the group membership service: it offers services with their load, lists for
 * front ends who offers them, and starts and retires replicas of them while it is the first of the
 * view. A process that has been told to retire all it offers ends. Thread-safe.
 */
public final class ServiceMembership implements ServiceRegistry {
  /** The flags of {@link Settings}. */
  public static final String USAGE =
      """
        [--load-full PROCESSORS] [--scale-max 0] [--scale-min 1] [--end-with PROCESS]
      --load-full says how many calls of a service at once are as much as a replica can do; with
      --scale-max the group starts replicas at this address, up to that many of a service, and
      retires them as the load asks. With --end-with, this process hands over and ends when the one
      with that number has ended, and those that it starts do so when it has.\
      """;

  private static final Duration PERIOD = Duration.ofMillis(200);
  private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(2);
  private static final Duration HAND_OVER_PATIENCE = Duration.ofSeconds(10);
  private static final int REPLICAS_MAX = 64;

  /** Rounds in a row before a change, and after it: the time a new replica takes to be of use. */
  private static final int ROUNDS = 5;

  private static final int PAUSE_ROUNDS = 25;

  /**
   * The settings of a membership, as the flags give them. Immutable.
   *
   * @param full how many calls of a service at once are as much as this process can do
   * @param replicasMin fewest replicas of a service
   * @param replicasMax most replicas of a service; 0 if nobody starts and retires any
   * @param endsWith the number of the process with whose end this one ends; 0 if with none's
   */
  public record Settings(int full, int replicasMin, int replicasMax, long endsWith) {
    /** Reads them. */
    public static Settings of(Flags flags) {
      int processors = Runtime.getRuntime().availableProcessors();
      int replicasMax = flags.number("--scale-max", 0, 0, REPLICAS_MAX);
      return new Settings(
          flags.number("--load-full", processors, 1, 1_000_000),
          flags.number("--scale-min", 1, 1, Math.max(1, replicasMax)),
          replicasMax,
          flags.number("--end-with", 0, 0, Integer.MAX_VALUE));
    }
  }

  private final GroupServices services;
  private final ServiceServer server;
  private final Set<String> offered = new ConcurrentSkipListSet<>();
  private volatile boolean retired;

  private ServiceMembership(GroupServices services, ServiceServer server) {
    this.services = services;
    this.server = server;
  }

  /**
   * Enters the server in the registry.
   *
   * @param program what is run for one more replica, at this server's address
   * @param further flags that one more replica of a service is given besides
   */
  public static ServiceMembership open(
      Group group,
      ServiceServer server,
      Settings settings,
      Class<?> program,
      Function<String, List<String>> further) {
    Endpoint endpoint = server.endpoint();
    ProcessLauncher launcher =
        new ProcessLauncher(
            group.self().name(),
            name -> isKnown(group.view(), name),
            (service, replica) ->
                Stream.of(
                        java(program),
                        flags(group, replica, endpoint.host(), settings),
                        further.apply(service))
                    .flatMap(List::stream)
                    .toList());
    ServiceMembership membership =
        new ServiceMembership(GroupServices.open(group, PERIOD, launcher), server);
    server.export(NAME, ServiceRegistry.class, membership, Style.SOFT_STATE);
    if (settings.endsWith != 0) {
      ChildProcess.whenEnded(settings.endsWith, membership::endSoon);
    }
    return membership;
  }

  private static boolean isKnown(View view, String name) {
    return Stream.of(view.members(), view.lost())
        .flatMap(List::stream)
        .anyMatch(member -> member.name().equals(name));
  }

  private static List<String> java(Class<?> program) {
    return JavaCommand.of(List.of(), program);
  }

  private static List<String> flags(Group group, String replica, String host, Settings settings) {
    String members =
        group.view().members().stream()
            .map(member ->
                member.address().getAddress().getHostAddress() + ":" + member.address().getPort())
            .collect(Collectors.joining(","));
    return List.of(
        "--name",
        replica,
        "--address",
        host,
        "--port",
        "0",
        "--join",
        members,
        "--load-full",
        String.valueOf(settings.full),
        "--scale-min",
        String.valueOf(settings.replicasMin),
        "--scale-max",
        String.valueOf(settings.replicasMax),
        "--end-with",
        settings.endsWith == 0 ? "0" : String.valueOf(ProcessHandle.current().pid()));
  }

  /** Offers a service of this process; once it is told to retire the last, the process ends. */
  public void offer(String service, DoubleSupplier load) {
    Endpoint endpoint = server.endpoint();
    offered.add(service);
    services.offer(
        service,
        new InetSocketAddress(endpoint.host(), endpoint.port()),
        load,
        () -> retire(service));
  }

  private void retire(String service) {
    services.withdraw(service);
    if (offered.remove(service) && offered.isEmpty()) {
      end();
    }
  }

  /** Ends on a thread of its own, since an end may come before this process has begun to serve. */
  private void endSoon() {
    Thread.ofPlatform().daemon().name("end").start(this::end);
  }

  /** Ends the process, which hands over before that. */
  private void end() {
    retired = true;
    System.exit(0);
  }

  /** Keeps the numbers of replicas in step with the load, if the settings say so. */
  public void scale(Collection<String> names, Settings settings) {
    if (settings.replicasMax == 0) {
      return;
    }
    ScalingOptions defaults = ScalingOptions.defaults();
    ScalingOptions options =
        new ScalingOptions(
            settings.replicasMin,
            settings.replicasMax,
            defaults.loadHigh(),
            defaults.loadLow(),
            ROUNDS,
            PAUSE_ROUNDS);
    names.forEach(name -> services.scale(name, options));
  }

  /**
   * Hands over what the collections hold, so that the others forget this replica, if the group has
   * told this process to end, as one replica too many, or if its parent has ended. To be called
   * when no calls come any more. A process that ends for another reason is waited for.
   */
  public void handOver(ReplicatedCollections collections) {
    if (retired && !collections.leave(HAND_OVER_PATIENCE)) {
      System.err.println(
          "not all others had what this replica holds after "
              + HAND_OVER_PATIENCE
              + ", so they remember it");
    }
  }

  /**
   * Offers nothing any more, and lets calls under way end, so that no front end has to ask for one
   * again. Replicas that were started from here go on.
   */
  public void leave() {
    offered.forEach(services::withdraw);
    try {
      boolean ended = server.drain(DRAIN_PATIENCE);
      if (!ended) {
        System.err.println("calls were under way after " + DRAIN_PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public List<Listed> replicas(String service) {
    return services.replicas(service).stream()
        .map(offer ->
            new Listed(
                offer.replica(),
                "terrace",
                offer.address().getAddress().getHostAddress(),
                offer.address().getPort()))
        .toList();
  }
}
