package org.terrace.control.manager;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.control.ControlSecret;
import org.terrace.control.Style;
import org.terrace.control.launcher.CommandTemplate;
import org.terrace.control.launcher.LocalLauncher;
import org.terrace.control.link.LinkServer;
import org.terrace.control.naming.Addresses;
import org.terrace.control.naming.Registrar;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.HostLookup;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.middleware.Endpoint;

/**
 * A replication manager as a process of its own.
 *
 * <pre>{@code
 * java ... org.terrace.control.manager.ManagerProcess
 *     --managers 127.0.0.1:7501,127.0.0.1:7502 --rank 0 --naming 127.0.0.1:7401
 *     --service park-n-park --style warm-passive --degree 2 --directory replicas
 *     --command "java -cp lib/* org.example.ParkNParkServer {name} {address}"
 * }</pre>
 *
 * Every manager of a group is started with the same flags but {@code --rank}, its place in {@code
 * --managers}. With {@code --secret-file FILE} they, the naming processes, the replicas and the
 * clients talk to nobody who does not have the secret in it; without, a manager listens on loopback
 * alone, as it always does for people. It prints {@code ready manager HOST:PORT admin HOST:PORT} on
 * standard output, its journal on standard error, and ends on SIGTERM; replicas end with the last
 * manager of their directory.
 */
public final class ManagerProcess {
  /** Without digits, as they follow a number, and without vowels, so that no word comes of them. */
  private static final String LETTERS = "bcdfghjkmnpqrstvwxz";

  private static final int INCARNATION_LETTERS = 5;

  private ManagerProcess() {}

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      open(arguments);
      new CountDownLatch(1).await();
    } catch (TerraceException e) {
      System.err.println("manager: " + e.getMessage());
      System.exit(e.code().exitCode());
    }
  }

  private static void open(String[] arguments) {
    Flags flags = Flags.of(arguments);
    List<InetSocketAddress> managers =
        Addresses.parse("--managers", flags.text("--managers", "127.0.0.1:0"));
    int rank = flags.number("--rank", 0, 0, managers.size() - 1);
    List<InetSocketAddress> naming =
        Addresses.parse(
            "--naming", flags.required("--naming", "host:port of every naming process"));
    ServiceOptions service =
        ServiceOptions.of(
                flags.required("--service", "the name of the service"),
                style(flags.text("--style", "warm-passive")),
                flags.number("--degree", 2, 0, ServiceOptions.DEGREE_MAX))
            .withSpares(flags.number("--spares", 0, 0, ServiceOptions.DEGREE_MAX));
    CommandTemplate command =
        CommandTemplate.parse(flags.required("--command", "what starts a replica"));
    LocalLauncher launcher =
        new LocalLauncher(
            Path.of(flags.required("--directory", "where the replicas' output goes")),
            flags.text("--host", "127.0.0.1"),
            name -> command,
            archives(flags.text("--archives", "")));
    List<InetSocketAddress> others = new ArrayList<>(managers);
    InetSocketAddress self = others.remove(rank);
    RandomGenerator random = RandomGenerator.of("SecureRandom");
    String group = ManagerOptions.group(service.service());
    InetSocketAddress adminAddress =
        Addresses.parseOne("--admin", flags.text("--admin", adminHost(self) + ":0"));
    boolean heedsEnds = heedsEnds(flags);
    ControlSecret secret = ControlSecret.ofFile(flags.path("--secret-file"));
    flags.end();
    AdminServer admin = new AdminServer(adminAddress);
    String incarnation = incarnation(random);
    String name = "manager" + (rank + 1) + "-" + incarnation;
    ManagerServer manager =
        new ManagerServer(
            handler -> LinkServer.open(self, secret, handler),
            secret,
            bound -> {
              ManagerOptions ordinary =
                  ManagerOptions.of(
                      endpoint(name, bound, admin.address()), incarnation, rank, List.of(service));
              return heedsEnds ? ordinary : ordinary.withHeartbeatsAlone();
            },
            others,
            notices ->
                new Registrar(naming, secret, random, List.of(group, service.service()), notices),
            launcher,
            journal());
    admin.answerFor(manager, name);
    Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
    System.out.println(
        "ready manager "
            + Addresses.format(manager.address())
            + " admin "
            + Addresses.format(admin.address()));
  }

  /** On loopback whatever the manager's own address is. */
  private static String adminHost(InetSocketAddress self) {
    InetSocketAddress found = HostLookup.first(self);
    boolean local = !found.isUnresolved() && found.getAddress().isLoopbackAddress();
    return local ? Addresses.bracketed(self.getHostString()) : "127.0.0.1";
  }

  /** Whether the end of a process or connection declares failed. */
  private static boolean heedsEnds(Flags flags) {
    return flags.value(
        "--detection",
        text ->
            switch (text) {
              case "prompt" -> true;
              case "heartbeats" -> false;
              default -> throw new IllegalArgumentException(text);
            },
        () -> true,
        "prompt or heartbeats");
  }

  /**
   * The folder of archives: among the user's caches unless told otherwise; without a home there is
   * none.
   */
  private static Optional<Path> archives(String chosen) {
    if (chosen.equals("none")) {
      return Optional.empty();
    } else if (!chosen.isEmpty()) {
      return Optional.of(Path.of(chosen));
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    String home = System.getenv("HOME");
    if (caches != null && !caches.isBlank()) {
      return Optional.of(Path.of(caches, "terrace", "archives"));
    }
    return home == null || home.isBlank()
        ? Optional.empty()
        : Optional.of(Path.of(home, ".cache", "terrace", "archives"));
  }

  /** Drawn, as in containers each incarnation has the same process number. */
  private static String incarnation(RandomGenerator random) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < INCARNATION_LETTERS; i++) {
      letters.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return letters.toString();
  }

  private static Endpoint endpoint(String name, InetSocketAddress bound, InetSocketAddress admin) {
    return new Endpoint(
        name, "manager", bound.getHostString(), bound.getPort(), Addresses.format(admin));
  }

  private static Consumer<String> journal() {
    TimeSource time = TimeSource.system();
    long startNanos = time.elapsedNanos();
    return line ->
        System.err.printf(
            Locale.ROOT, "%10.3f %s%n", (time.elapsedNanos() - startNanos) / 1e9, line);
  }

  private static Style style(String text) {
    for (Style style : Style.values()) {
      if (style.name().equals(text.toUpperCase(Locale.ROOT).replace('-', '_'))) {
        return style;
      }
    }
    throw new TerraceException(
        ErrorCode.BAD_INPUT,
        "--style is '" + text + "': expected none, warm-passive, active or soft-state");
  }
}
