package org.terrace.seven;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.terrace.control.Style;
import org.terrace.control.naming.Addresses;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.invocation.FailOverOptions;
import org.terrace.seven.application.Application;

/**
 * The arguments of the program that runs a replica of one of the seven.
 *
 * @param application which of them
 * @param name the replica's name
 * @param listen where it is called; port 0: one that is free
 * @param database where its data are
 * @param pool connections to the database, 1 to {@value #POOL_MAX}
 * @param style how the replicas share the work
 * @param middleware what carries calls
 * @param managers where the replication managers listen; empty: none watches this replica
 * @param failOver the parts of fail-over that are on
 * @param probes the file that start, end and method of each call are written to at the end
 * @param reset whether to make the tables anew first
 */
record ServerArguments(
    Application<?> application,
    String name,
    InetSocketAddress listen,
    DatabaseAddress database,
    int pool,
    Style style,
    String middleware,
    List<InetSocketAddress> managers,
    FailOverOptions failOver,
    Optional<Path> probes,
    boolean reset) {

  /** Copies the list. */
  ServerArguments {
    managers = List.copyOf(managers);
  }

  static final String USAGE =
      "--application NAME [--name NAME] [--address ADDRESS] [--port PORT] "
          + DatabaseAddress.USAGE
          + " [--pool N] [--style warm-passive|active|none] [--middleware NAME]"
          + " [--manager HOST:PORT,...]"
          + " [--fail-over "
          + FailOverPart.USAGE
          + "] [--probes FILE] [--reset]";

  private static final int POOL_MAX = 1_000;

  static ServerArguments of(String[] commandLine) {
    Flags arguments = Flags.of(commandLine, "--reset");
    Application<?> application = SevenApplications.named(arguments.text("--application"));
    ServerArguments read =
        new ServerArguments(
            application,
            arguments.text("--name", "server1"),
            address(arguments),
            DatabaseAddress.of(arguments),
            arguments.number("--pool", 10, 1, POOL_MAX),
            style(arguments, application),
            arguments.text("--middleware", "terrace"),
            arguments
                .optional("--manager")
                .map(text -> Addresses.parse("--manager", text))
                .orElse(List.of()),
            failOver(arguments),
            arguments.optional("--probes").map(Path::of),
            arguments.isGiven("--reset"));
    arguments.end();
    return read;
  }

  static Style style(Flags arguments, Application<?> application) {
    return arguments.value(
        "--style",
        text -> Style.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')),
        () -> application.published().style(),
        "warm-passive, active or none");
  }

  static FailOverOptions failOver(Flags arguments) {
    return arguments.value(
        "--fail-over", FailOverPart::options, FailOverOptions::all, FailOverPart.EXPECTED);
  }

  private static InetSocketAddress address(Flags arguments) {
    String host = arguments.text("--address", "127.0.0.1");
    try {
      return new InetSocketAddress(
          InetAddress.getByName(host), arguments.number("--port", 0, 0, 65_535));
    } catch (UnknownHostException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "--address is '" + host + "'; expected an IP address.", e);
    }
  }
}
