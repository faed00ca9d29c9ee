package org.terrace.cart;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.cart.process.LoadMeter;
import org.terrace.core.Flags;
import org.terrace.groups.Group;
import org.terrace.groups.service.GroupServices;
import org.terrace.groups.service.ProcessLauncher;
import org.terrace.groups.service.ScalingOptions;
import org.terrace.invocation.Profile;
import org.terrace.invocation.ServiceServer;
import org.terrace.invocation.Style;
import org.terrace.invocation.softstate.ServiceRegistry;

/**
 * A replica's part in the group membership service: it offers the cart with its load, lists for
 * front ends who offers it, and starts and retires replicas of the cart while it is the first of
 * the view. Thread-safe.
 */
final class CartMembership implements ServiceRegistry {
  static final String USAGE =
      """
        [--load-full PROCESSORS] [--scale-max 0] [--scale-min 1]
      --load-full says how many calls at once are as much as a replica can do; with --scale-max the
      group starts replicas at this address, up to that many, and retires them as the load asks.\
      """;

  private static final Duration PERIOD = Duration.ofMillis(200);
  private static final int REPLICAS_MAX = 64;

  /** Rounds in a row before a change, and after it: the time a new replica takes to be of use. */
  private static final int ROUNDS = 5;

  private static final int PAUSE_ROUNDS = 25;

  /** What the flags say of it. */
  record Settings(int full, int replicasMin, int replicasMax) {
    static Settings of(Flags flags) {
      int processors = Runtime.getRuntime().availableProcessors();
      int replicasMax = flags.number("--scale-max", 0, 0, REPLICAS_MAX);
      return new Settings(
          flags.number("--load-full", processors, 1, 1_000_000),
          flags.number("--scale-min", 1, 1, Math.max(1, replicasMax)),
          replicasMax);
    }
  }

  private final GroupServices services;

  private CartMembership(GroupServices services) {
    this.services = services;
  }

  /**
   * Enters the server in the registry.
   *
   * @param further flags that a replica started from here is given, too
   */
  static CartMembership open(
      Group group, ServiceServer server, LoadMeter meter, Settings settings, List<String> further) {
    Profile profile = server.profile();
    ProcessLauncher launcher =
        new ProcessLauncher(
            group.self().name(),
            (service, replica) -> command(group, replica, profile.host(), settings, further));
    GroupServices services = GroupServices.open(group, PERIOD, launcher);
    CartMembership membership = new CartMembership(services);
    server.export(NAME, ServiceRegistry.class, membership, Style.SOFT_STATE);
    services.offer(
        CartServer.SERVICE,
        new InetSocketAddress(profile.host(), profile.port()),
        meter::load,
        () -> System.exit(0));
    if (settings.replicasMax > 0) {
      ScalingOptions defaults = ScalingOptions.defaults();
      services.scale(
          CartServer.SERVICE,
          new ScalingOptions(
              settings.replicasMin,
              settings.replicasMax,
              defaults.loadHigh(),
              defaults.loadLow(),
              ROUNDS,
              PAUSE_ROUNDS));
    }
    return membership;
  }

  private static List<String> command(
      Group group, String replica, String host, Settings settings, List<String> further) {
    String members =
        group.view().members().stream()
            .map(member ->
                member.address().getAddress().getHostAddress() + ":" + member.address().getPort())
            .collect(Collectors.joining(","));
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            CartServer.class.getName());
    List<String> flags =
        List.of(
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
            String.valueOf(settings.replicasMax));
    return Stream.of(java, flags, further).flatMap(List::stream).toList();
  }

  /** Offers the cart no more; replicas that were started from here go on. */
  void leave() {
    services.withdraw(CartServer.SERVICE);
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
