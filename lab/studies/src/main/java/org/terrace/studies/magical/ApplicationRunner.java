package org.terrace.studies.magical;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.terrace.core.ErrorCode;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.probes.ProbeRows;
import org.terrace.studies.services.ClientSummary;
import org.terrace.studies.services.ProbeFile;
import org.terrace.studies.services.SevenPrograms;

/**
 * Runs an application in all its configurations, on two replicas that stay up across them, and then
 * under crashes. Confined to one thread.
 */
final class ApplicationRunner {
  private static final int REPLICAS = 2;
  private static final int PORT = 7_301;

  /** Rows that a replica's probes have room for, less a margin for repetitions. */
  private static final int ROWS_OF_A_REPLICA = 360_000;

  /** Calls that warm up replicas that have just started. */
  private static final int FIRST_CALLS = 1_000;

  /** The name under which a replica's probes have a session that it restored. */
  private static final String RESTORED = "restore_session";

  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(20);
  private static final Duration CALL_WITHIN = Duration.ofMillis(500);
  private static final Pattern ADDRESS = Pattern.compile("(?m)^\\s*ready (?<address>\\S+)$");
  private static final Pattern DROPPED =
      Pattern.compile("(?<count>\\d+) calls found no room for their probes");

  private final StudyContext context;
  private final SevenPrograms programs;
  private final Setting setting;

  ApplicationRunner(StudyContext context, SevenPrograms programs, Setting setting) {
    this.context = context;
    this.programs = programs;
    this.setting = setting;
  }

  private record Run(MagicalConfiguration configuration, ProbeFile probes, int unanswered) {}

  ApplicationResult run(Subject subject, String middleware) throws InterruptedException {
    context
        .listener()
        .message(
            "%s on %s: %d configurations of %,d calls"
                .formatted(
                    subject.title(), middleware, setting.configurations().size(), setting.calls()));
    programs.setUp(subject.application());
    List<MagicalConfiguration> order = new ArrayList<>(setting.configurations());
    // In random order, so that what changes with time is not taken for an effect of a parameter.
    Collections.shuffle(order, new Random(context.study().seed() + subject.ordinal()));
    List<Measurement> measured = new ArrayList<>();
    long dropped = 0;
    int atOnce =
        Math.max(1, (ROWS_OF_A_REPLICA - FIRST_CALLS) / (setting.calls() + setting.warmUp()));
    for (int from = 0; from < order.size(); from += atOnce) {
      List<MagicalConfiguration> batch = order.subList(from, Math.min(order.size(), from + atOnce));
      dropped += measure(subject, middleware, from, batch, measured);
    }
    Optional<Recovery> recovery = Optional.empty();
    if (setting.kills() > 0) {
      recovery =
          Optional.of(new RecoveryRunner(context, programs, setting).run(subject, middleware));
    }
    boolean whole = programs.check(subject.application());
    measured.sort(Comparator.comparingDouble(Measurement::meanMillis));
    return new ApplicationResult(subject, middleware, measured, recovery, whole, dropped);
  }

  static String name(Subject subject, String middleware) {
    return subject.application() + "-" + middleware;
  }

  /** Measures some configurations on replicas of their own; tells how many probes were dropped. */
  private long measure(
      Subject subject,
      String middleware,
      int number,
      List<MagicalConfiguration> batch,
      List<Measurement> measured)
      throws InterruptedException {
    String name = name(subject, middleware) + (number == 0 ? "" : "-" + number);
    Path folder = context.folder(name);
    List<Node> replicas = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    List<Path> probes = new ArrayList<>();
    for (int replica = 1; replica <= REPLICAS; replica++) {
      Path file = folder.resolve("server" + replica + ".csv");
      probes.add(file);
      Node node = replica(name, subject, middleware, replica, file);
      replicas.add(node);
      servers.add("server" + replica + "@" + address(node));
    }
    String reached = String.join(",", servers);
    List<Run> runs = new ArrayList<>();
    MagicalConfiguration first = new MagicalConfiguration(1, Duration.ZERO, 0);
    client(subject, middleware, reached, first, "first", FIRST_CALLS, folder);
    for (MagicalConfiguration configuration : batch) {
      context.listener().progress("%s: %s".formatted(subject.title(), configuration.label()));
      String file = configuration.file();
      int unanswered =
          client(subject, middleware, reached, configuration, file, setting.calls(), folder);
      runs.add(
          new Run(
              configuration, ProbeFile.read(List.of(folder.resolve(file + ".csv"))), unanswered));
    }
    long dropped = 0;
    for (Node replica : replicas) {
      replica.stop(STOP_WITHIN);
      Matcher matcher = DROPPED.matcher(replica.logTail());
      dropped += matcher.find() ? Long.parseLong(matcher.group("count")) : 0;
    }
    ProbeRows served = calls(ProbeFile.read(probes));
    for (Run run : runs) {
      measured.add(
          Measurement.of(
              run.configuration,
              run.probes.rows(),
              served,
              setting.calls(),
              run.unanswered,
              context.study().seed()));
    }
    return dropped;
  }

  private Node replica(String name, Subject subject, String middleware, int replica, Path probes)
      throws InterruptedException {
    List<String> more =
        List.of(
            "--style", subject.style(), "--middleware", middleware, "--probes", probes.toString());
    return context.start(
        name + "-server" + replica,
        programs.replica(subject.application(), replica, PORT, more),
        READY_WITHIN);
  }

  private static String address(Node replica) {
    Matcher matcher = ADDRESS.matcher(replica.logTail());
    if (!matcher.find()) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          replica.name() + " did not tell its address; see " + replica.logFile());
    }
    return matcher.group("address");
  }

  /** The rows of calls: those of sessions that a replica restored are none. */
  private static ProbeRows calls(ProbeFile file) {
    int[] rows =
        IntStream.range(0, file.rows().size())
            .filter(row -> !file.methods().get(row).equals(RESTORED))
            .toArray();
    List<RequestIdentity> identities = new ArrayList<>();
    long[] starts = new long[rows.length];
    long[] ends = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      identities.add(file.rows().identities().get(rows[i]));
      starts[i] = file.rows().startNanos()[rows[i]];
      ends[i] = file.rows().endNanos()[rows[i]];
    }
    return new ProbeRows(identities, starts, ends);
  }

  /** Runs clients to their end and tells how many calls came to no reply. */
  private int client(
      Subject subject,
      String middleware,
      String servers,
      MagicalConfiguration configuration,
      String file,
      int calls,
      Path folder)
      throws InterruptedException {
    Path summary = folder.resolve(file + ".json");
    List<String> arguments =
        List.of(
            "--servers",
            servers,
            "--middleware",
            middleware,
            "--style",
            subject.style(),
            "--clients",
            Integer.toString(configuration.clients()),
            "--think",
            configuration.think().toMillis() + "ms",
            "--reply",
            configuration.reply(),
            "--calls",
            Integer.toString(calls),
            "--warm-up",
            Integer.toString(setting.warmUp()),
            "--seed",
            Long.toString(
                context.study().seed() + setting.configurations().indexOf(configuration) + 1L),
            "--probes",
            folder.resolve(file + ".csv").toString(),
            "--summary",
            summary.toString());
    Node client =
        context
            .supervisor()
            .start(
                NodeSpecification.of(
                    folder.getFileName() + "-" + file,
                    programs.clients(subject.application(), arguments),
                    new Readiness.AtOnce(),
                    READY_WITHIN));
    Duration limit =
        READY_WITHIN.plus(
            configuration
                .think()
                .plus(CALL_WITHIN)
                .multipliedBy((calls + setting.warmUp()) / configuration.clients() + 1L));
    SevenPrograms.awaitEnd(client, limit);
    return ClientSummary.read(summary).unanswered();
  }
}
