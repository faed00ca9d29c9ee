package org.terrace.seven;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.naming.NamingClient;
import org.terrace.core.Flags;
import org.terrace.invocation.FailOverOptions;
import org.terrace.middleware.Endpoint;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Padding;

/**
 * The arguments of the program that runs clients.
 *
 * @param application which of the seven they call
 * @param naming where they find its replicas
 * @param clients how many, 1 to {@value #CLIENTS_MAX}
 * @param think how long each waits after a reply
 * @param replyBytes the size of replies, see {@link Padding}
 * @param methods the only methods to call; empty: the application's usual mix
 * @param calls of all clients together, which are measured
 * @param warmUp of all clients together before those, which are not
 * @param seed of the workloads
 * @param failOver the parts of fail-over that are on
 * @param hedge whether slow calls are sent to a second replica as well
 * @param probes the file that start, end and method of each call are written to at the end
 * @param summary the file that counts and latencies are written to
 * @param failovers the file that the log of calls that met a fault is written to
 * @param acknowledged the file that the acknowledged effects of updates are written to, those of
 *     the warm-up too
 */
record ClientArguments(
    Application<?> application,
    Naming naming,
    int clients,
    Duration think,
    int replyBytes,
    Set<String> methods,
    int calls,
    int warmUp,
    long seed,
    FailOverOptions failOver,
    boolean hedge,
    Optional<Path> probes,
    Optional<Path> summary,
    Optional<Path> failovers,
    Optional<Path> acknowledged) {
  static final String USAGE =
      "--application NAME --naming HOST:PORT,... | --servers NAME@HOST:PORT[/KEY],... [--middleware NAME] [--style STYLE]"
          + " [--clients N] [--think TIME] [--reply original|256|512|1024] [--method NAME,...] [--calls N]"
          + " [--warm-up N] [--seed N] [--fail-over "
          + FailOverPart.USAGE
          + "] [--hedge] [--probes FILE]"
          + " [--summary FILE] [--failovers FILE] [--acknowledged FILE]";

  private static final int CLIENTS_MAX = 1_000;
  private static final int CALLS_MAX = 10_000_000;
  private static final Pattern SERVER =
      Pattern.compile("(?<name>[^@,]+)@(?<host>[^,/]+):(?<port>\\d{1,5})(/(?<key>[^,]*))?");
  private static final Pattern TIME = Pattern.compile("(?<count>\\d{1,9})(?<unit>us|ms|s)");

  static ClientArguments of(String[] commandLine) {
    Flags arguments = Flags.of(commandLine, "--hedge");
    Application<?> application = SevenApplications.named(arguments.text("--application"));
    ClientArguments read =
        new ClientArguments(
            application,
            naming(arguments, application),
            arguments.number("--clients", 1, 1, CLIENTS_MAX),
            arguments.value(
                "--think", ClientArguments::time, () -> Duration.ZERO, "0, or a time such as 20ms"),
            arguments.value(
                "--reply",
                ClientArguments::replyBytes,
                () -> Padding.ORIGINAL,
                "original, or bytes from 1 to " + Padding.REPLY_BYTES_MAX),
            arguments
                .optional("--method")
                .map(names -> Set.of(names.split(",", -1)))
                .orElse(Set.of()),
            arguments.number("--calls", 10_000, 1, CALLS_MAX),
            arguments.number("--warm-up", 500, 0, CALLS_MAX),
            arguments.value("--seed", Long::valueOf, () -> 1L, "a whole number"),
            ServerArguments.failOver(arguments),
            arguments.isGiven("--hedge"),
            arguments.optional("--probes").map(Path::of),
            arguments.optional("--summary").map(Path::of),
            arguments.optional("--failovers").map(Path::of),
            arguments.optional("--acknowledged").map(Path::of));
    arguments.end();
    return read;
  }

  /** A client's part of some calls that all clients share as evenly as can be. */
  int partOf(int all, int client) {
    return all / clients + (client < all % clients ? 1 : 0);
  }

  private static Naming naming(Flags arguments, Application<?> application) {
    Style style = ServerArguments.style(arguments, application);
    String middleware = arguments.text("--middleware", "terrace");
    Optional<String> namingProcesses = arguments.optional("--naming");
    if (namingProcesses.isPresent()) {
      return NamingClient.open(namingProcesses.get());
    }
    List<Endpoint> endpoints = new ArrayList<>();
    for (String server : arguments.text("--servers").split(",", -1)) {
      endpoints.add(
          arguments.value(
              "--servers",
              text -> endpoint(server, middleware),
              () -> endpoint(server, middleware),
              "NAME@HOST:PORT and more such after commas"));
    }
    return Naming.fixed(new ServiceReference(application.name(), style, 1, 1, endpoints));
  }

  private static Endpoint endpoint(String text, String middleware) {
    Matcher matcher = SERVER.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    String key = matcher.group("key");
    return new Endpoint(
        matcher.group("name"),
        middleware,
        matcher.group("host"),
        Integer.parseInt(matcher.group("port")),
        key == null ? "" : key);
  }

  private static int replyBytes(String text) {
    if (text.equals("original")) {
      return Padding.ORIGINAL;
    }
    int bytes = Integer.parseInt(text);
    if (bytes < 1 || bytes > Padding.REPLY_BYTES_MAX) {
      throw new IllegalArgumentException(text);
    }
    return bytes;
  }

  private static Duration time(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    long count = Long.parseLong(matcher.group("count"));
    return switch (matcher.group("unit")) {
      case "us" -> Duration.ofNanos(count * 1_000);
      case "ms" -> Duration.ofMillis(count);
      default -> Duration.ofSeconds(count);
    };
  }
}
