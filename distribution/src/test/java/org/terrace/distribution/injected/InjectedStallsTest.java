package org.terrace.distribution.injected;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.capture.CaptureFilter;
import org.terrace.capture.CaptureOptions;
import org.terrace.capture.PacketCapture;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.ShortCommand;
import org.terrace.distribution.injected.InjectedFaults.Stop;
import org.terrace.report.FindingsFile;
import org.terrace.testing.Seeds;

/**
 * Stalls against the truth on servers of others: the packets of nginx, a Java service, PostgreSQL
 * and MariaDB alone name the server of each injected stall, and their logs its cause.
 */
@Tag("real-processes")
@Tag("long")
@Timeout(300)
class InjectedStallsTest {
  /** Of {@value InjectedFaults#STOPS}: one in twenty. */
  private static final int MISSED_MAX = 1;

  /** Other work on the machine may hold up another server meanwhile. */
  private static final int OTHERS_MAX = 3;

  /** The time by which a stall may be off at either end, beside other work. */
  private static final long EDGE_NANOS = 60_000_000;

  private static final int VISITORS = 12;
  private static final Duration LONGEST_ANALYSIS = Duration.ofMinutes(1);
  private static final double THINK_NANOS = 15_000_000;

  @TempDir Path directory = Path.of("");

  @Test
  void packetsNameTheServerOfEachStallAndLogsItsCause() throws Exception {
    assumeTrue(onPath("nginx"), "nginx (Debian: nginx-light) is missing");
    long seed = Seeds.next("InjectedStallsTest");
    Path capture = directory.resolve("shop.pcapng");
    List<Stop> stops;
    List<String> evidence = new ArrayList<>();
    try (ForeignShop shop = new ForeignShop(directory)) {
      InjectedFaults faults = new InjectedFaults(shop, Seeds.generator(seed));
      stops = underLoad(shop, capture, faults, seed);
      evidence.add("--tiers=" + shop.tiers(directory.resolve("tiers.yaml")));
      evidence.add("--events=" + faults.tableOfNginx(directory.resolve("operator.csv")));
      evidence.add("--events=" + ForeignShop.SHOP + "=" + shop.shopLog());
      evidence.add("--events=" + ForeignShop.POSTGRES + "=" + shop.postgresLog());
      evidence.add("--events=" + ForeignShop.MARIADB + "=" + shop.mariaDbLog());
    }

    Findings alone = analyze("alone", capture, List.of());
    Findings explained = analyze("explained", capture, evidence);

    for (Stop stop : stops) {
      System.out.println(stop + " " + servers(alone, stop) + causes(explained, stop));
    }
    assertThat(stops)
        .as("stops whose server packets do not name")
        .filteredOn(stop -> !servers(alone, stop).contains(stop.server()))
        .hasSizeLessThanOrEqualTo(MISSED_MAX);
    assertThat(stops)
        .as("stops during which another server is said to have stood still")
        .filteredOn(
            stop -> servers(alone, stop).stream().anyMatch(each -> !each.equals(stop.server())))
        .hasSizeLessThanOrEqualTo(OTHERS_MAX);
    assertThat(stops)
        .as("stops whose cause logs do not tell")
        .filteredOn(stop -> !causes(explained, stop).contains(causeOf(stop.server())))
        .hasSizeLessThanOrEqualTo(MISSED_MAX);
    assertThat(stops)
        .as("stops that get the cause of another")
        .filteredOn(stop ->
            causes(explained, stop).stream().anyMatch(each -> !each.equals(causeOf(stop.server()))))
        .hasSizeLessThanOrEqualTo(OTHERS_MAX);
    assertThat(stops)
        .as("stops of which the stall is too long or too short")
        .filteredOn(stop -> !isOfThatLength(alone, stop))
        .hasSizeLessThanOrEqualTo(OTHERS_MAX);
  }

  private static boolean onPath(String program) {
    return List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin").stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static List<Stop> underLoad(
      ForeignShop shop, Path capture, InjectedFaults faults, long seed) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Integer>> visits = new ArrayList<>();
      try (var _ =
          PacketCapture.open(
              CaptureOptions.to(capture).withFilter(CaptureFilter.networks(ForeignShop.NETWORK)))) {
        for (int i = 0; i < VISITORS; i++) {
          RandomGenerator random = Seeds.generator(seed + i + 1);
          visits.add(CompletableFuture.supplyAsync(() -> visit(shop, random, ended), executor));
        }
        return faults.run();
      } finally {
        ended.set(true);
        int pages = visits.stream().mapToInt(CompletableFuture::join).sum();
        System.out.println(pages + " pages");
      }
    }
  }

  /** The pages that one visitor has seen, one after the other. */
  private static int visit(ForeignShop shop, RandomGenerator random, AtomicBoolean ended) {
    int pages = 0;
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.getByName(ForeignShop.VISITOR))
            .build()) {
      while (!ended.get()) {
        LockSupport.parkNanos((long) (THINK_NANOS * random.nextExponential()));
        if (ForeignShop.get(client, shop.page(random.nextInt(ForeignShop.ITEMS))).statusCode()
            == 200) {
          pages++;
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return pages;
  }

  private Findings analyze(String name, Path capture, List<String> evidence) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("analyze", capture.toString()));
    arguments.addAll(evidence);
    arguments.add("--out=" + directory.resolve(name));
    ShortCommand.Result result =
        ShortCommand.of(
                JavaCommand.of(
                    JavaCommand.program(),
                    List.of("--enable-native-access=ALL-UNNAMED"),
                    System.getProperty("java.class.path"),
                    "org.terrace.cli.Terrace",
                    arguments))
            .withWithin(LONGEST_ANALYSIS)
            .run();
    System.out.println(result.output());
    assertThat(result.failure()).as(result.output()).isEmpty();
    return FindingsFile.read(directory.resolve(name).resolve(FindingsFile.NAME));
  }

  /** The servers that are said to have stood still during a stop. */
  private static Set<String> servers(Findings findings, Stop stop) {
    return findings.servers().stream()
        .filter(server -> !standing(server, stop).isEmpty())
        .map(server -> ForeignShop.nameOf(server.name()))
        .collect(Collectors.toSet());
  }

  private static List<Findings.Stall> standing(ServerFindings server, Stop stop) {
    return server.stalls().stream()
        .filter(stall -> stall.behaviour() != Behaviour.WAITED)
        .filter(stall -> stop.overlaps(stall.startNanos(), stall.endNanos()))
        .toList();
  }

  /** Whether a stall of the server ends as the stop did, and is not much longer. */
  private static boolean isOfThatLength(Findings findings, Stop stop) {
    return findings.servers().stream()
        .filter(server -> ForeignShop.nameOf(server.name()).equals(stop.server()))
        .flatMap(server -> standing(server, stop).stream())
        .anyMatch(stall ->
            Math.abs(stall.endNanos() - stop.endNanos()) < EDGE_NANOS
                && stall.startNanos() > stop.startNanos() - EDGE_NANOS);
  }

  /** The causes that count of the stall of the server during its stop. */
  private static Set<String> causes(Findings findings, Stop stop) {
    return findings.servers().stream()
        .filter(server -> server.name().equals(stop.server()))
        .flatMap(server -> standing(server, stop).stream())
        .flatMap(stall -> stall.causes().stream())
        .filter(Findings.Cause::significant)
        .map(Findings.Cause::kind)
        .collect(Collectors.toSet());
  }

  private static String causeOf(String server) {
    return switch (server) {
      case ForeignShop.NGINX -> "stopped-by-operator";
      case ForeignShop.SHOP -> "gc-pause";
      default -> "lock-wait";
    };
  }
}
