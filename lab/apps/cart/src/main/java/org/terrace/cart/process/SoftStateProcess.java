package org.terrace.cart.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.naming.Addresses;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.HostLookup;
import org.terrace.core.TerraceException;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.invocation.softstate.SoftStateOptions;
import org.terrace.middleware.Endpoint;

/** Steps that the programs of the soft-state applications have in common. */
public final class SoftStateProcess {
  private SoftStateProcess() {}

  /** The work of a program, given its flags. */
  @FunctionalInterface
  public interface Body {
    /** Does the work, and returns the exit code. */
    int run(Flags flags) throws InterruptedException, IOException;
  }

  /**
   * Runs a program and returns its exit code: {@code --help} prints what flags it has, and an error
   * in them is told together with that.
   */
  public static int run(String program, String usage, String[] arguments, Body body)
      throws InterruptedException, IOException {
    if (List.of(arguments).contains("--help")) {
      System.out.println("Usage: " + program + " " + usage);
      return 0;
    }
    try {
      return body.run(Flags.of(arguments));
    } catch (TerraceException e) {
      System.err.println(program + ": " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: " + program + " " + usage);
      }
      return e.code().exitCode();
    }
  }

  /** Prints {@code ready} and waits for the signal to end, at which it closes the server. */
  public static void serveUntilTold(Runnable close) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Thread end =
        new Thread(
            () -> {
              close.run();
              ended.countDown();
            },
            "end");
    Runtime.getRuntime().addShutdownHook(end);
    System.out.println("ready");
    ended.await();
  }

  /** Joins the group of the application, as the member whose address is this server's. */
  public static Group join(
      String application, String name, InetSocketAddress address, List<InetSocketAddress> members) {
    InetAddress host = address.getAddress();
    InetSocketAddress own =
        members.stream()
            .filter(member -> host.equals(HostLookup.first(member).getAddress()))
            .findFirst()
            .orElseThrow(() ->
                new TerraceException(
                    ErrorCode.BAD_INPUT,
                    "--group is " + members + "; expected one at " + host.getHostAddress()));
    List<InetSocketAddress> others = new ArrayList<>(members);
    others.remove(own);
    return Groups.open(
        GroupOptions.of(application, name, Discovery.of(others)).withAddress(host, own.getPort()));
  }

  /**
   * Joins the group of the application as the flags say: {@code --group} lists all members, this
   * one at its own address; {@code --join} some that run, and this one takes a free port.
   */
  public static Group join(
      String application, String name, InetSocketAddress address, Flags flags) {
    if (flags.text("--join", "").isEmpty()) {
      return join(application, name, address, Addresses.parse("--group", flags.text("--group")));
    }
    return Groups.open(
        GroupOptions.of(
                application, name, Discovery.of(Addresses.parse("--join", flags.text("--join"))))
            .withAddress(address.getAddress(), 0));
  }

  /** Reads a flag that is {@code yes} or {@code no}. */
  public static boolean yesOrNo(String text) {
    if (!text.equals("yes") && !text.equals("no")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("yes");
  }

  /** The number of replicas that hold an update before it is answered: {@code --level}. */
  public static WriteLevel level(Flags flags) {
    return flags.value(
        "--level", SoftStateProcess::level, () -> WriteLevel.LOCAL, "LOCAL, ALL or a number");
  }

  private static WriteLevel level(String text) {
    return switch (text) {
      case "LOCAL" -> WriteLevel.LOCAL;
      case "ALL" -> WriteLevel.ALL;
      default -> WriteLevel.replicas(Integer.parseInt(text));
    };
  }

  /**
   * The way in which a front end spreads calls: {@code --k}, {@code --hedge-share}, {@code
   * --discovery}.
   */
  public static SoftStateOptions softState(Flags flags) {
    return SoftStateOptions.defaults()
        .withRedundancy(flags.number("--k", 1, 1, SoftStateOptions.REDUNDANCY_MAX))
        .withHedgeShareMax(flags.decimal("--hedge-share", 0.1, 0, 1))
        .withDiscovery(
            flags.value(
                "--discovery",
                text ->
                    SoftStateOptions.Discovery.valueOf(
                        text.toUpperCase(Locale.ROOT).replace('-', '_')),
                () -> SoftStateOptions.Discovery.ADAPTIVE,
                "adaptive or first-reply"));
  }

  /** Replicas by name: {@code NAME=ADDRESS:PORT}, separated by commas. */
  public static Map<String, InetSocketAddress> replicas(String text) {
    Map<String, InetSocketAddress> replicas = new LinkedHashMap<>();
    for (String replica : text.split(",", -1)) {
      int equals = replica.indexOf('=');
      int colon = replica.lastIndexOf(':');
      if (equals < 1 || colon < equals + 2 || !replica.substring(colon + 1).matches("[0-9]{1,5}")) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "--replicas has '" + replica + "'; expected NAME=ADDRESS:PORT, and more after commas.");
      }
      replicas.put(
          replica.substring(0, equals),
          new InetSocketAddress(
              replica.substring(equals + 1, colon),
              Integer.parseInt(replica.substring(colon + 1))));
    }
    return replicas;
  }

  /** The naming of services that each of the replicas serves. */
  public static Naming naming(
      Collection<String> services, Map<String, InetSocketAddress> replicas) {
    List<Endpoint> endpoints = new ArrayList<>();
    replicas.forEach((name, address) ->
        endpoints.add(
            new Endpoint(name, "terrace", address.getHostString(), address.getPort(), "")));
    return Naming.fixed(
        services.stream()
            .map(service -> new ServiceReference(service, Style.SOFT_STATE, 1, 1, endpoints))
            .toArray(ServiceReference[]::new));
  }
}
