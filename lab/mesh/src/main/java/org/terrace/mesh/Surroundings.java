package org.terrace.mesh;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.hosts.SshHost;
import org.terrace.hosts.Target;
import org.terrace.nodes.machine.MachineFacts;
import org.terrace.nodes.setting.WebServer;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;

/**
 * The things that a trial depends on beside its specification. Immutable.
 *
 * @param programs the digest of the programs that trials start
 * @param machine the facts of the machines that decide what a trial measures, by name; figures are
 *     only compared with those of the same ones
 * @param target where the servers run
 * @param installed by the name of the host, or {@value #HERE} for this machine, the digests of the
 *     programs of servers that are installed there
 * @param files the files of programs on this machine that these digests are of
 * @param hosts the other hosts on which servers run
 */
record Surroundings(
    String programs,
    Map<String, String> machine,
    Target target,
    Map<String, Map<String, String>> installed,
    ProgramFiles files,
    ProbedHosts hosts) {
  /** The first word of the facts of hosts, before the name of one. */
  static final String HOST = "host ";

  private static final String HERE = "";
  private static final String JAVA_OPTIONS = "java options of the environment";
  private static final Path SYSTEM = Path.of("/");

  /** Servers on this machine that need nothing which is installed there. */
  Surroundings(String programs, Map<String, String> machine) {
    this(
        programs,
        machine,
        new Target.Local(),
        Map.of(),
        ProgramFiles.of(List.of()),
        ProbedHosts.NONE);
  }

  /**
   * Reads the programs, and looks at this machine and the hosts on which servers of a mesh run.
   *
   * @throws org.terrace.core.TerraceException if one of these hosts cannot be reached
   */
  static Surroundings of(TrialOptions options, MeshSpecification mesh) {
    return of(options, mesh, Map.of(), SYSTEM);
  }

  /**
   * The same as a process with other variables would find it.
   *
   * @param environment variables beside those of this process, or in their place
   * @param system the root of what is installed on this machine
   */
  static Surroundings of(
      TrialOptions options, MeshSpecification mesh, Map<String, String> environment, Path system) {
    MachineFacts facts = MachineFacts.ofThisMachine();
    Map<String, String> named = new TreeMap<>();
    named.put("cores", Integer.toString(facts.cores()));
    named.put("memoryBytes", Long.toString(facts.memoryBytes()));
    named.put("cpu", facts.cpu());
    named.put("kernel", facts.kernel());
    named.put("java", facts.java());
    if (!(options.target() instanceof Target.Local)) {
      // Not its options and hosts: of these those count on which a trial's servers run.
      named.put("target", options.target().word());
    }
    List<Path> classpath = Programs.classpath(options);
    ProgramFiles files = ProgramFiles.of(classpath);
    ProbedHost here = ProbedHost.ofThisMachine(environment, system);
    if (!here.javaOptions().isEmpty()) {
      // Those who emulate users inherit them here, wherever the servers run.
      named.put(JAVA_OPTIONS, here.javaOptions());
    }
    ProbedHosts hosts = ProbedHosts.NONE;
    Map<String, Map<String, String>> installed = new TreeMap<>();
    if (options.target() instanceof Target.Ssh ssh) {
      Set<SshHost> used = new LinkedHashSet<>();
      mesh.trials()
          .forEach(trial -> used.addAll(TrialRunner.hosts(trial.experiment(), ssh).values()));
      hosts = ProbedHosts.of(ssh, used);
      hosts
          .all()
          .forEach((host, probed) -> {
            named.put(HOST + host.name(), machine(host, probed));
            installed.put(host.name(), probed.programs());
          });
    } else {
      installed.put(HERE, here.programs());
      List<Path> used = new ArrayList<>();
      here.files()
          .forEach((program, places) -> {
            if (mesh.trials().stream().anyMatch(trial -> uses(trial.experiment(), program))) {
              used.addAll(places);
            }
          });
      files = files.and(ProgramFiles.of(used));
    }
    return new Surroundings(
        Programs.digest(classpath, files), named, options.target(), installed, files, hosts);
  }

  /** The key of a trial, which the hosts and programs of other trials do not change. */
  String key(PlannedTrial trial) {
    Experiment experiment = trial.experiment();
    Map<String, String> deciding = new LinkedHashMap<>(machine);
    Set<String> places = new TreeSet<>();
    if (target instanceof Target.Ssh ssh) {
      TrialRunner.hosts(experiment, ssh)
          .forEach((server, host) -> {
            deciding.put("place of " + server, host.name());
            places.add(host.name());
          });
    } else {
      places.add(HERE);
    }
    deciding
        .keySet()
        .removeIf(name -> name.startsWith(HOST) && !places.contains(name.substring(HOST.length())));
    for (String place : places) {
      installed
          .getOrDefault(place, Map.of())
          .forEach((program, digest) -> {
            if (uses(experiment, program)) {
              deciding.put("program " + program + " " + place, digest);
            }
          });
    }
    return TrialKey.of(trial, programs, deciding);
  }

  /** A host in words, with what the target says of it that its servers are told. */
  private static String machine(SshHost host, ProbedHost probed) {
    return probed.machine()
        + ", address "
        + host.address()
        + (host.java().isEmpty() ? "" : ", program " + host.java())
        + (probed.javaOptions().isEmpty() ? "" : ", " + JAVA_OPTIONS + " " + probed.javaOptions());
  }

  private static boolean uses(Experiment experiment, String program) {
    return program.equals(ProbedHost.APACHE)
        ? experiment.web() == WebServer.APACHE
            && experiment.topology().web() > 0
            && experiment.program(Tier.WEB).isEmpty()
        : experiment.hasDatabase() && experiment.database().equals(program);
  }
}
