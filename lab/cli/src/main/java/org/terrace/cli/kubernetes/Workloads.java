package org.terrace.cli.kubernetes;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.ServerDefaults;
import org.terrace.experiment.Tier;
import org.terrace.nodes.setting.TierProgram;

/** The objects that run servers, and the services that lead to them. Immutable. */
record Workloads(
    Experiment experiment, Names names, ContainerCommands commands, KubernetesOptions options) {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final int LOADED_WITHIN_SECONDS = 1_800;
  private static final int LOADER_TRIES = 10;

  /** The exit code of a program that is given bad input, which trying again does not mend. */
  private static final int BAD_INPUT = 2;

  private static final int MEBIBYTE_SHIFT = 20;
  private static final double MILLIS = 1_000;

  /** Whether the pods of a tier may be replaced by others: nobody knows them by their names. */
  boolean isInterchangeable(Tier tier) {
    return tier == Tier.WEB && experiment.program(tier).isEmpty();
  }

  /** The services of a tier: for its pods' names, for each server, and for users. */
  List<Map<String, Object>> services(Tier tier) {
    if (isInterchangeable(tier)) {
      return List.of(service(tier, names.tier(tier), names.selector(tier.label())));
    }
    List<Map<String, Object>> services = new ArrayList<>();
    Map<String, Object> headless = service(tier, names.tier(tier), names.selector(tier.label()));
    Map<String, Object> specification = new LinkedHashMap<>();
    specification.put("clusterIP", "None");
    specification.put("publishNotReadyAddresses", true);
    if (headless.get("spec") instanceof Map<?, ?> plain) {
      plain.forEach((key, value) -> specification.put(String.valueOf(key), value));
    }
    if (isGroup(tier)) {
      specification.put(
          "ports",
          Trees.list(
              port("service", experiment.port(tier), "TCP"),
              port("group-connections", ServerDefaults.GROUP_PORT, "TCP"),
              port("group-datagrams", ServerDefaults.GROUP_PORT, "UDP")));
    }
    headless.put("spec", specification);
    services.add(headless);
    for (int number = 1; number <= experiment.topology().count(tier); number++) {
      String name = names.server(tier, number);
      Map<String, Object> selector = names.selector(tier.label());
      selector.put("statefulset.kubernetes.io/pod-name", name);
      services.add(service(tier, name, selector));
    }
    if (tier == entrance()) {
      services.add(service(tier, entranceName(), names.selector(tier.label())));
    }
    return services;
  }

  /** The first tier that has servers, to which users send their requests. */
  Tier entrance() {
    return experiment.topology().web() > 0 ? Tier.WEB : Tier.APP;
  }

  /** The name of the service that users ask. */
  String entranceName() {
    return isInterchangeable(entrance()) ? names.tier(entrance()) : names.base() + "-entrance";
  }

  private boolean isGroup(Tier tier) {
    return tier == Tier.APP && experiment.program(tier).isEmpty();
  }

  private Map<String, Object> service(Tier tier, String name, Map<String, Object> selector) {
    Map<String, Object> service = names.object("v1", "Service", name, tier.label());
    service.put(
        "spec",
        Trees.map(
            "selector",
            selector,
            "ports",
            Trees.list(port("service", experiment.port(tier), "TCP"))));
    return service;
  }

  private static Map<String, Object> port(String name, int port, String protocol) {
    return Trees.map("name", name, "port", port, "targetPort", port, "protocol", protocol);
  }

  /** The set of a tier's pods. */
  Map<String, Object> workload(Tier tier) {
    PodPlan pod = pod(tier);
    boolean any = isInterchangeable(tier);
    Map<String, Object> workload =
        names.object("apps/v1", any ? "Deployment" : "StatefulSet", names.tier(tier), tier.label());
    Map<String, Object> specification = Trees.map("replicas", experiment.topology().count(tier));
    if (!any) {
      specification.putAll(
          Trees.map(
              "serviceName",
              names.tier(tier),
              "podManagementPolicy",
              "Parallel",
              "ordinals",
              Trees.map("start", 1)));
    }
    specification.put("selector", Trees.map("matchLabels", names.selector(tier.label())));
    specification.put(
        "template",
        pod.template(
            names.labels(tier.label()),
            experiment.port(tier),
            limits(tier),
            experiment.cpuLimit(tier, 1).orElse(1)));
    specification.putAll(Trees.map("volumeClaimTemplates", pod.claims()));
    workload.put("spec", specification);
    return workload;
  }

  private PodPlan pod(Tier tier) {
    Optional<TierProgram> program = experiment.program(tier);
    if (program.isPresent()) {
      return new OwnProgram(experiment, tier, program.get(), names, commands)
          .pod(options.images().getOrDefault(tier.label(), ""));
    }
    return switch (tier) {
      case WEB -> terrace(tier, commands.proxy()).ready(connection(tier), READY_WITHIN);
      case APP -> app();
      case MIDDLEWARE -> owning(controller());
      case DATABASE -> database();
    };
  }

  private PodPlan terrace(Tier tier, List<String> command) {
    return new PodPlan(
            options.images().getOrDefault(tier.label(), options.image()),
            PodPlan.USER,
            command,
            List.of())
        .field("POD_NAME", "metadata.name")
        .field("POD_IP", "status.podIP");
  }

  private PodPlan app() {
    PodPlan pod =
        terrace(Tier.APP, commands.board()).secret(names, "database").secret(names, "group");
    if (commands.hasController()) {
      pod.secret(names, "controller");
    }
    Map<String, Object> health =
        Trees.map("httpGet", Trees.map("path", "/health", "port", experiment.port(Tier.APP)));
    pod.ready(health, READY_WITHIN);
    return commands.owner() == Tier.APP ? owning(pod) : pod;
  }

  private PodPlan controller() {
    return terrace(Tier.MIDDLEWARE, commands.controller())
        .secret(names, "database")
        .secret(names, "controller")
        .ready(connection(Tier.MIDDLEWARE), READY_WITHIN);
  }

  /** A server that connects to the databases, and does so when they hold their data. */
  private PodPlan owning(PodPlan pod) {
    for (int number = 1; number <= experiment.topology().database(); number++) {
      pod.after("await-data-" + number, commands.rows(number));
    }
    return commands.hasCluster()
        ? pod.kept("recovery-log", ContainerCommands.RECOVERY_LOG, options.storage())
        : pod;
  }

  private PodPlan database() {
    String image = options.images().getOrDefault(Tier.DATABASE.label(), databaseImage());
    if (experiment.database().equals(Experiment.POSTGRESQL)) {
      List<Object> check =
          Trees.list("pg_isready", "-h", "127.0.0.1", "-U", ServerDefaults.DATABASE_USER);
      return new PodPlan(image, PodPlan.DATABASE_USER, List.of(), List.of())
          .variable("POSTGRES_USER", ServerDefaults.DATABASE_USER)
          .variable("POSTGRES_DB", ServerDefaults.DATABASE)
          .secretVariable("POSTGRES_PASSWORD", names, "database")
          .scratch("run", "/var/run/postgresql")
          .kept("data", "/var/lib/postgresql", options.storage())
          .ready(Trees.map("exec", Trees.map("command", check)), READY_WITHIN);
    }
    List<Object> check = Trees.list("healthcheck.sh", "--connect", "--innodb_initialized");
    return new PodPlan(
            image,
            PodPlan.DATABASE_USER,
            List.of(),
            List.of("--innodb-ft-min-token-size=0", "--innodb-ft-enable-stopword=0"))
        .variable("MARIADB_USER", ServerDefaults.DATABASE_USER)
        .variable("MARIADB_DATABASE", ServerDefaults.DATABASE)
        .variable("MARIADB_ROOT_HOST", "localhost")
        .secretVariable("MARIADB_ROOT_PASSWORD", names, "database")
        .secretVariable("MARIADB_PASSWORD", names, "database")
        .scratch("run", "/run/mysqld")
        .kept("data", "/var/lib/mysql", options.storage())
        .ready(Trees.map("exec", Trees.map("command", check)), READY_WITHIN);
  }

  private String databaseImage() {
    return experiment.database().equals(Experiment.POSTGRESQL)
        ? "docker.io/library/postgres:18.6"
        : "docker.io/library/mariadb:11.4.5";
  }

  /** The job that fills a database. */
  Map<String, Object> loader(int number) {
    PodPlan pod =
        new PodPlan(options.image(), PodPlan.USER, commands.loader(number), List.of())
            .secret(names, "database");
    Map<String, Object> job =
        names.object(
            "batch/v1", "Job", names.base() + "-" + Names.LOADER + "-" + number, Names.LOADER);
    Map<String, Object> hopeless =
        Trees.map(
            "action",
            "FailJob",
            "onExitCodes",
            Trees.map(
                "containerName", "server", "operator", "In", "values", Trees.list(BAD_INPUT)));
    job.put(
        "spec",
        Trees.map(
            "backoffLimit",
            LOADER_TRIES,
            "activeDeadlineSeconds",
            LOADED_WITHIN_SECONDS,
            "podFailurePolicy",
            Trees.map("rules", Trees.list(hopeless)),
            "template",
            pod.job(names.labels(Names.LOADER))));
    return job;
  }

  private Map<String, Object> connection(Tier tier) {
    return Trees.map("tcpSocket", Trees.map("port", experiment.port(tier)));
  }

  /** The limits of each pod of a tier, as quantities; only those of the specification. */
  private Map<String, String> limits(Tier tier) {
    Map<String, String> limits = new LinkedHashMap<>();
    experiment.cpuLimit(tier, 1).ifPresent(cores -> limits.put("cpu", millis(cores)));
    experiment.memoryBytes(tier, 1).ifPresent(bytes -> limits.put("memory", bytes(bytes)));
    return limits;
  }

  private static String millis(double cores) {
    return BigDecimal.valueOf(cores * MILLIS).setScale(0, RoundingMode.CEILING) + "m";
  }

  private static String bytes(long bytes) {
    return bytes % (1L << MEBIBYTE_SHIFT) == 0
        ? (bytes >> MEBIBYTE_SHIFT) + "Mi"
        : Long.toString(bytes);
  }
}
