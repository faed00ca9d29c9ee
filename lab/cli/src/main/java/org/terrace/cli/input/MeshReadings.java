package org.terrace.cli.input;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.evidence.Evidence;
import org.terrace.evidence.EvidenceFile;
import org.terrace.experiment.Tier;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;

/**
 * Readings that somebody else took while the trials of a mesh ran, as a resource of the servers of
 * a tier, or of one server: {@code app.connections=FILE}. Immutable.
 *
 * @param target the tier or the server
 * @param resource the resource, soft unless it has a name of hardware
 * @param file the file, which holds shares from 0 to 1, of each server one series; or the directory
 *     of {@code terrace watch}, of which the series of the resource's name is taken
 */
public record MeshReadings(String target, String resource, Path file) {
  private static final Pattern FORM =
      Pattern.compile("([a-z]+[0-9]*)\\.([a-z0-9]+(?:-[a-z0-9]+)*)=(.+)");

  /** A share of a pool that was read while its size changed may be a little above all. */
  private static final double MOST = 1.01;

  private static final double NANOS_PER_SECOND = 1e9;

  /** Readings that are nearer to each other are of one moment: the last of them counts. */
  private static final long LEAST_APART_NANOS = 1_000_000;

  /** Reads an argument. */
  public static MeshReadings parse(String argument) {
    Matcher matcher = FORM.matcher(argument);
    if (!matcher.matches()) {
      throw wrong(
          "--readings "
              + argument
              + ": expected TIER.RESOURCE=FILE or SERVER.RESOURCE=FILE, for example"
              + " app.connections=connections.json or database1.cpu=cpu.json");
    }
    MeshReadings readings =
        new MeshReadings(matcher.group(1), matcher.group(2), Path.of(matcher.group(3)));
    if (!Configuration.TIERS.contains(readings.target.replaceAll("[0-9]+$", ""))) {
      throw wrong(
          "--readings %s: '%s' is neither a tier nor a server; tiers are %s"
              .formatted(argument, readings.target, String.join(", ", Configuration.TIERS)));
    }
    if (!Files.isRegularFile(readings.file) && !Files.isDirectory(readings.file)) {
      throw wrong("--readings " + argument + ": there is no file or directory " + readings.file);
    }
    return readings;
  }

  /**
   * A mesh with the readings that are of the run of one of its trials.
   *
   * @param directory the mesh's directory, in which its trials have kept their tables
   * @param label the label by which an answer of Prometheus names servers
   * @param notes takes sentences about what the readings lack
   */
  public Mesh addedTo(Mesh mesh, Path directory, String label, Consumer<String> notes) {
    boolean oneServer = !Configuration.TIERS.contains(target);
    Evidence evidence = EvidenceFile.read(file, oneServer ? target : null, null, label);
    // It names the option by which other commands take such a file.
    evidence.notes().forEach(note -> notes.accept(note.replaceFirst("^--events ", "--readings ")));
    List<Sample> samples = Files.isDirectory(file) ? ofResource(evidence) : evidence.samples();
    List<MeshTrial> trials = new ArrayList<>();
    List<String> without = new ArrayList<>();
    int found = 0;
    for (MeshTrial trial : mesh.trials()) {
      List<Utilisation> added =
          trial.isDone() ? of(trial, directory.resolve(trial.folder()), samples) : List.of();
      found += added.size();
      if (trial.isDone() && added.isEmpty()) {
        without.add(trial.key());
      }
      List<Utilisation> all = new ArrayList<>(trial.utilisation());
      all.addAll(added);
      trials.add(trial.withUtilisation(all));
    }
    if (found == 0) {
      throw wrong(
          "--readings %s: no reading is of a server of %s in the run of a trial that has kept its tables (keep: {tables: true}); readings are of %s"
              .formatted(
                  file,
                  target,
                  samples.stream().map(Sample::node).distinct().collect(Collectors.joining(", "))));
    }
    strangers(mesh, directory, samples)
        .forEach(node ->
            notes.accept(
                "--readings %s: no server of a trial that has kept its tables has the name or is alone at the address of '%s', so that nothing holds its readings"
                    .formatted(file, node)));
    if (!without.isEmpty()) {
      notes.accept(
          "%s has no reading of %s in the run of %d of the trials, of which %s is one"
              .formatted(file, target, without.size(), without.getFirst()));
    }
    return new Mesh(mesh.name(), mesh.machine(), trials);
  }

  /** The readings of a watched host that bear the resource's name: it has several of each node. */
  private List<Sample> ofResource(Evidence evidence) {
    Set<String> known =
        evidence.samples().stream()
            .map(Sample::resource)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!known.contains(resource)) {
      throw wrong(
          "--readings %s.%s=%s: the directory has no readings of %s; it has %s"
              .formatted(
                  target,
                  resource,
                  file,
                  resource,
                  known.isEmpty() ? "none" : String.join(", ", known)));
    }
    return evidence.samples().stream()
        .filter(sample -> sample.resource().equals(resource))
        .toList();
  }

  /** The nodes of readings that are no server of any trial, in which there may be others each. */
  private static Set<String> strangers(Mesh mesh, Path directory, List<Sample> samples) {
    Set<String> strangers =
        samples.stream().map(Sample::node).collect(Collectors.toCollection(TreeSet::new));
    for (MeshTrial trial : mesh.trials()) {
      Path file = directory.resolve(trial.folder()).resolve(ObservationFiles.SERVERS);
      if (trial.isDone() && Files.isRegularFile(file)) {
        List<Server> known = servers(file);
        Set<String> names = known.stream().map(Server::name).collect(Collectors.toSet());
        List<Sample> one = strangers.stream().map(node -> new Sample(node, "", 0, 0)).toList();
        List<Sample> named = HeldEvidence.named(one, known);
        strangers.retainAll(
            named.stream()
                .map(Sample::node)
                .filter(name -> !names.contains(name))
                .collect(Collectors.toSet()));
      }
    }
    return strangers;
  }

  /** The readings of the run of one trial, server by server. */
  private List<Utilisation> of(MeshTrial trial, Path folder, List<Sample> samples) {
    Optional<Event> run = run(folder.resolve(ObservationFiles.EVENTS));
    Path servers = folder.resolve(ObservationFiles.SERVERS);
    if (run.isEmpty() || !Files.isRegularFile(servers)) {
      return List.of();
    }
    List<Server> known = servers(servers);
    List<Sample> within =
        samples.stream()
            .filter(sample -> sample.timeNanos() > run.get().startNanos())
            .filter(sample -> sample.timeNanos() <= run.get().endNanos())
            .sorted(Comparator.comparingLong(Sample::timeNanos))
            .toList();
    Map<String, List<Sample>> byServer =
        HeldEvidence.named(within, known).stream()
            .collect(Collectors.groupingBy(Sample::node, TreeMap::new, Collectors.toList()));
    List<Utilisation> added = new ArrayList<>();
    for (Server server : known) {
      String tier = Tier.labelOfShown(server.tier());
      List<Sample> own = byServer.get(server.name());
      if (own != null && (server.name().equals(target) || tier.equals(target))) {
        added.add(of(trial, server.name(), tier, own, run.get().startNanos()));
      }
    }
    return added;
  }

  private Utilisation of(
      MeshTrial trial, String server, String tier, List<Sample> own, long runStartNanos) {
    List<String> series = own.stream().map(Sample::resource).distinct().toList();
    if (series.size() > 1) {
      throw wrong(
          "--readings %s: it has %d series of %s, expected one: %s"
              .formatted(file, series.size(), server, String.join(", ", series)));
    }
    if (trial.utilisation().stream()
        .anyMatch(each -> each.node().equals(server) && each.resource().equals(resource))) {
      throw wrong(
          "--readings %s: the mesh has readings of %s of %s of its own; give these another name"
              .formatted(file, resource, server));
    }
    own.stream()
        .filter(sample -> !(sample.value() >= 0 && sample.value() <= MOST))
        .findFirst()
        .ifPresent(sample -> {
          throw wrong(
              "--readings %s: a reading of %s is %s, expected a share from 0 to 1: divide by the size in the query"
                  .formatted(file, server, sample.value()));
        });
    long apart = nanosApart(trial, own);
    NavigableMap<Integer, Double> shares = new TreeMap<>();
    own.forEach(sample ->
        shares.put(
            (int) ((sample.timeNanos() - 1 - runStartNanos) / apart), Math.min(1, sample.value())));
    return Utilisation.of(
        server,
        tier,
        resource,
        apart / NANOS_PER_SECOND,
        shares.keySet().stream().mapToInt(Integer::intValue).toArray(),
        shares.values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The least time between two readings; where there is one alone, the whole run. */
  private static long nanosApart(MeshTrial trial, List<Sample> own) {
    long least = Math.max(1, Math.round(trial.seconds() * NANOS_PER_SECOND));
    for (int i = 1; i < own.size(); i++) {
      long apart = own.get(i).timeNanos() - own.get(i - 1).timeNanos();
      least = apart > 0 ? Math.min(least, apart) : least;
    }
    return Math.max(LEAST_APART_NANOS, least);
  }

  private static Optional<Event> run(Path events) {
    return Files.isRegularFile(events)
        ? ObservationFiles.readEvents(events, null).stream()
            .filter(event -> event.kind().equals(EventKinds.PHASE_RUN))
            .findFirst()
        : Optional.empty();
  }

  private static List<Server> servers(Path file) {
    try (FileChannel bytes = FileChannel.open(file)) {
      return ObservationFiles.readServers(bytes, file.toString());
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, file + ": it cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static TerraceException wrong(String message) {
    return new TerraceException(ErrorCode.BAD_INPUT, message);
  }
}
