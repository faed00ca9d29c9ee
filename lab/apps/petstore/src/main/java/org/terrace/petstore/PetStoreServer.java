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
import java.util.Set;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.collections.CollectionsOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.RequestLedger;
import org.terrace.collections.WriteLevel;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.groups.Group;
import org.terrace.invocation.ServerOptions;
import org.terrace.invocation.ServiceServer;
import org.terrace.invocation.Style;
import org.terrace.invocation.naming.Addresses;
import org.terrace.invocation.softstate.SoftStateExecution;

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
      A SERVICE is null, cpu-small, cpu-large, io-small, io-large, cpu-io-small or cpu-io-large.
      --group lists all replicas of the group; one of them is at this server's address.\
      """;

  private static final String APPLICATION = "petstore";

  private final Group group;
  private final ReplicatedCollections collections;
  private final ServiceServer server;
  private final List<Work> works = new ArrayList<>();

  private PetStoreServer(Group group, ReplicatedCollections collections, ServiceServer server) {
    this.group = group;
    this.collections = collections;
    this.server = server;
  }

  /** Runs a replica until the process is told to end. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      PetStoreServer server = start(Flags.of(arguments));
      SoftStateProcess.serveUntilTold(server::close);
    } catch (TerraceException e) {
      System.err.println("petstore: " + e.getMessage());
      if (e.code() == ErrorCode.BAD_INPUT) {
        System.err.println("Usage: PetStoreServer " + USAGE);
      }
      System.exit(e.code().exitCode());
    }
  }

  /** Starts a replica; it accepts calls when this returns. */
  static PetStoreServer start(Flags flags) {
    String name = flags.text("--name");
    InetSocketAddress address =
        new InetSocketAddress(flags.text("--address"), flags.number("--port", 8080, 0, 65_535));
    List<InetSocketAddress> members = Addresses.parse("--group", flags.text("--group"));
    Set<PetServiceKind> kinds =
        flags.value(
            "--services", PetStoreServer::kinds, () -> kinds("all"), "all, or names of services");
    int cpuMicros = flags.number("--cpu-micros", 1000, 0, 1_000_000);
    int writes = flags.number("--writes", 2, 0, 1_000);
    Path directory = Path.of(flags.text("--directory", System.getProperty("java.io.tmpdir")));
    WriteLevel level = SoftStateProcess.level(flags);
    int gossipMillis = flags.number("--gossip-ms", 100, 1, 60_000);
    int callsMax = flags.number("--calls-max", 4096, 1, 1_000_000);
    long seed = flags.value("--seed", Long::valueOf, () -> 1L, "a whole number");
    flags.end();
    Group group = SoftStateProcess.join(APPLICATION, name, address, members);
    ReplicatedCollections collections =
        ReplicatedCollections.open(
            group, CollectionsOptions.defaults().withGossipPeriod(Duration.ofMillis(gossipMillis)));
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(name)
                .withAddress(address)
                .withCallsMax(callsMax)
                .withExecution((service, epoch) ->
                    new SoftStateExecution(
                        RequestLedger.open(collections, service, level)::execute,
                        () -> collections.metrics().gaps() > 0)));
    PetStoreServer started = new PetStoreServer(group, collections, server);
    started.export(
        kinds, cpuMicros, writes, seed, directory.resolve(APPLICATION + "-" + name), level);
    return started;
  }

  private void export(
      Set<PetServiceKind> kinds,
      int cpuMicros,
      int writes,
      long seed,
      Path directory,
      WriteLevel level) {
    try {
      Files.createDirectories(directory);
      for (PetServiceKind kind : kinds) {
        Work work = Work.open(kind, cpuMicros, writes, seed, directory);
        works.add(work);
        server.export(
            kind.service(),
            PetService.class,
            new SoftPetService(kind, work, collections, level),
            Style.SOFT_STATE);
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
    return server.profile().port();
  }

  @Override
  public void close() {
    server.close();
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
