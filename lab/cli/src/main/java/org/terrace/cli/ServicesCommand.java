package org.terrace.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.terrace.control.client.ManagerClient;
import org.terrace.core.CountedNoun;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code terrace services}: what the replication managers know, and orders for them. */
@Command(
    name = "services",
    description = {
      "Shows replicated services and has their replicas drained, killed or added.",
      "Of each it tells the replicas, the primary, the epoch, the state and the last fail-over."
    },
    footer = {
      "",
      "Examples:",
      "  terrace services --manager 127.0.0.1:7601",
      "  terrace services --manager 127.0.0.1:7601,127.0.0.1:7602 --watch",
      "  terrace services drain park-n-park park-n-park-1-2 --manager 127.0.0.1:7601"
    })
final class ServicesCommand implements Callable<Integer> {
  private static final long WATCH_MILLIS = 500;
  private static final Duration ASK_WITHIN = Duration.ofSeconds(2);

  @Option(
      names = "--manager",
      paramLabel = "HOST:PORT",
      split = ",",
      scope = ScopeType.INHERIT,
      description = "where the replication managers answer; any of them will do")
  private List<String> addresses = List.of();

  @Option(names = "--json", description = "the same as JSON, one line each time")
  private boolean json;

  @Option(names = "--watch", description = "again and again, until interrupted")
  private boolean watch;

  @Option(
      names = "--quiet",
      scope = ScopeType.INHERIT,
      description = "no messages and no progress, only errors")
  private boolean quiet;

  @Override
  public Integer call() throws InterruptedException {
    try (ManagerClient client = client()) {
      do {
        String state = client.services();
        if (json) {
          System.out.println(state);
        } else {
          print(read(state), System.out);
        }
        System.out.flush();
        if (watch) {
          TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
        }
      } while (watch);
    }
    return 0;
  }

  private static JsonNode read(String state) {
    try {
      return JsonMapper.shared().readTree(state);
    } catch (JacksonException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "the manager's state is no JSON: " + e.getMessage(), e);
    }
  }

  static void print(JsonNode state, PrintStream out) {
    for (JsonNode service : state.path("services")) {
      out.printf(
          Locale.ROOT,
          "%s  %s, epoch %d, %d of %d replicas%s%n",
          service.path("service").asString(),
          service.path("style").asString("not registered"),
          service.path("epoch").asLong(),
          listed(service),
          service.path("degree").asInt(),
          launching(service));
      for (JsonNode replica : service.path("replicas")) {
        out.printf(
            Locale.ROOT,
            "  %-7s  %-9s  %-24s  %-21s  pid %-7d  up %.1f s%n",
            replica.path("role").asString(),
            replica.path("state").asString(),
            replica.path("replica").asString(),
            replica.path("address").asString(),
            replica.path("pid").asLong(),
            replica.path("upMillis").asLong() / 1e3);
      }
      JsonNode last = service.path("lastFailOver");
      if (last.isObject()) {
        out.printf(
            Locale.ROOT,
            "  last fail-over: %s %s %.1f s ago; new reference after %s, redundancy after %s%n",
            last.path("replica").asString(),
            last.path("verdict").asString(),
            last.path("agoMillis").asLong() / 1e3,
            millis(last.path("referredMillis")),
            millis(last.path("restoredMillis")));
      }
    }
    long refused = state.path("refused").asLong();
    if (refused > 0) {
      out.println(
          "Refused as malformed, unknown or too long: " + CountedNoun.of(refused, "message") + ".");
    }
    int managers = state.path("managers").asInt();
    int managersExpected = state.path("managersExpected").asInt();
    if (managers < managersExpected) {
      out.printf(Locale.ROOT, "Only %d of %d managers are there.%n", managers, managersExpected);
    }
    if (!state.path("leading").asBoolean()) {
      out.println("No manager leads at the moment: this is what a standby knows.");
    }
  }

  private static long listed(JsonNode service) {
    long listed = 0;
    for (JsonNode replica : service.path("replicas")) {
      listed += replica.path("role").asString().equals("spare") ? 0 : 1;
    }
    return listed;
  }

  private static String launching(JsonNode service) {
    int launching = service.path("launching").asInt();
    return launching == 0 ? "" : ", " + launching + " starting";
  }

  private static String millis(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%.1f ms", value.asDouble()) : "(not yet)";
  }

  @Command(
      name = "drain",
      description = {
        "Takes a replica out of service without a failed call.",
        "Another takes its place first, then it finishes its calls and ends."
      },
      footer = {
        "",
        "Example:",
        "  terrace services drain echo echo-1mxqrb-2 --manager 127.0.0.1:7601"
      })
  int drain(
      @Parameters(paramLabel = "SERVICE", description = "the service's name") String service,
      @Parameters(paramLabel = "REPLICA", description = "the replica's name") String replica) {
    return obey("drain " + service + " " + replica);
  }

  @Command(
      name = "kill",
      description = "Kills a replica at once, as a crash would; it is replaced.",
      footer = {
        "",
        "Example:",
        "  terrace services kill echo echo-1mxqrb-2 --manager 127.0.0.1:7601"
      })
  int kill(
      @Parameters(paramLabel = "SERVICE", description = "the service's name") String service,
      @Parameters(paramLabel = "REPLICA", description = "the replica's name") String replica) {
    return obey("kill " + service + " " + replica);
  }

  @Command(
      name = "add",
      description = "Raises the number of replicas of a service by one.",
      footer = {"", "Example:", "  terrace services add echo --manager 127.0.0.1:7601"})
  int add(@Parameters(paramLabel = "SERVICE", description = "the service's name") String service) {
    return obey("add " + service);
  }

  private int obey(String command) {
    try (ManagerClient client = client()) {
      String answer = client.command(command);
      if (!quiet) {
        System.err.println("The leading manager obeys: " + answer);
      }
    }
    return 0;
  }

  private ManagerClient client() {
    if (addresses.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--manager is missing: give the address that a replication manager prints after 'admin'"
              + " when it is ready, for example --manager 127.0.0.1:7601");
    }
    return new ManagerClient(addresses, ASK_WITHIN);
  }
}
