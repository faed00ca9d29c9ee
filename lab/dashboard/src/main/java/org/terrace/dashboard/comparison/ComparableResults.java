package org.terrace.dashboard.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Clients;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.results.ResultFiles;
import org.terrace.details.ResultMetrics;
import org.terrace.details.comparison.Metric;
import org.terrace.observation.CaptureFigures;
import org.terrace.report.FindingsFile;
import org.terrace.report.ResultDirectory;
import org.terrace.report.TrialFacts;

/**
 * The repeats of one version: a result directory, a directory that holds several, or a list of such
 * with commas between. Immutable.
 *
 * @param label how it was named
 * @param results each result
 */
public record ComparableResults(String label, List<Result> results) {
  private static final String FACTS = "facts.json";

  /** The facts of a machine that change its figures. */
  private static final Set<String> MACHINE = Set.of("cores", "cpu", "memoryBytes", "target");

  /** The beginning of the name of the facts about another host of servers. */
  private static final String HOST = "host ";

  /** The beginning of the version in such facts, which is none of the machine's. */
  private static final String KERNEL = ", kernel ";

  /**
   * One result: where it lies, what was found, and what it was found under.
   *
   * @param hasFacts whether that is known; if not, the specification and the machine are empty
   */
  public record Result(
      Path directory,
      Findings findings,
      boolean hasFacts,
      String specification,
      Map<String, String> machine) {}

  /**
   * The figures of a result, which no two runs have in common, whatever was asked of them since.
   */
  private record Measured(
      @Nullable CaptureFigures capture,
      List<ServerFindings> servers,
      @Nullable Clients clients,
      List<ClassResponses> responses) {
    static Measured of(Result result) {
      Findings findings = result.findings();
      return new Measured(
          findings.capture(), findings.servers(), findings.clients(), findings.responses());
    }
  }

  /**
   * Copies the list.
   *
   * @throws TerraceException if a result is there twice, by its name or as a copy, which would pass
   *     for a repeat
   */
  public ComparableResults {
    results = List.copyOf(results);
    Set<Path> places = new HashSet<>();
    Map<Measured, Path> contents = new HashMap<>();
    for (Result result : results) {
      if (!places.add(SubResults.place(result.directory()))) {
        throw noResult(result.directory(), "it is named twice, and is no repeat of itself");
      }
      Path same = contents.putIfAbsent(Measured.of(result), result.directory());
      if (same != null) {
        throw noResult(
            result.directory(), "it found exactly what " + same + " found: a copy is no repeat");
      }
    }
  }

  /** Reads the results that an argument names; a path that exists is one, commas in it or not. */
  public static ComparableResults read(String argument) {
    if (!argument.isBlank() && Files.exists(Path.of(argument))) {
      return of(Path.of(argument), child -> true);
    }
    List<Result> results = new ArrayList<>();
    for (String each : argument.split(",", -1)) {
      if (each.isBlank()) {
        throw noResult(Path.of(argument), "a name between two commas is missing");
      }
      results.addAll(of(Path.of(each), child -> true).results());
    }
    return new ComparableResults(argument, results);
  }

  /**
   * The result in a directory, or those in the directories within it.
   *
   * @param admitted whether a directory within is one to be read
   */
  public static ComparableResults of(Path directory, Predicate<Path> admitted) {
    return of(directory, admitted, file -> {});
  }

  /**
   * The result in a directory, or those in the directories within it.
   *
   * @param admitted whether a directory within is one to be read
   * @param beforeReading told of each file before it is read, be it there or not; it may refuse
   */
  public static ComparableResults of(
      Path directory, Predicate<Path> admitted, Consumer<Path> beforeReading) {
    List<Path> found =
        Files.exists(directory.resolve(FindingsFile.NAME))
            ? List.of(directory)
            : within(directory, admitted);
    return new ComparableResults(
        directory.toString(), found.stream().map(each -> result(each, beforeReading)).toList());
  }

  /** The figures of each result. */
  public List<Map<Metric, Double>> metrics() {
    return results.stream().map(result -> ResultMetrics.of(result.findings())).toList();
  }

  /** The reasons why these can be compared with nothing, a sentence each; empty if they can. */
  public List<String> obstacles() {
    return obstacles(
        new ComparableResults(label, results.subList(0, 1)),
        new ComparableResults(label, results.subList(1, results.size())));
  }

  /** The reasons why two sides cannot be compared, a sentence each; empty if they can. */
  public static List<String> obstacles(ComparableResults before, ComparableResults after) {
    List<Result> all = Stream.of(before.results, after.results).flatMap(List::stream).toList();
    Result first = all.getFirst();
    List<String> obstacles = new ArrayList<>();
    Set<Path> earlier = places(before);
    Map<Measured, Path> contents =
        before.results.stream().collect(Collectors.toMap(Measured::of, Result::directory));
    for (Result result : after.results) {
      Path same = contents.get(Measured.of(result));
      if (earlier.contains(SubResults.place(result.directory()))) {
        obstacles.add(
            result.directory() + " is on both sides, which would make less of each difference");
      } else if (same != null) {
        obstacles.add(
            "%s found exactly what %s on the other side found: it is a copy"
                .formatted(result.directory(), same));
      }
    }
    for (Result result : all) {
      for (Validity check : result.findings().validity()) {
        if (!check.passed()) {
          obstacles.add(
              result.directory() + " is not valid: " + check.check() + ": " + check.detail());
        }
      }
      if (!result.hasFacts()) {
        obstacles.add(
            result.directory() + " has no facts.json: what it ran, and on what, is not known");
      }
      if (!servers(result).equals(servers(first))) {
        obstacles.add(
            "%s has the servers %s, %s has %s"
                .formatted(result.directory(), servers(result), first.directory(), servers(first)));
      }
      if (!result.specification().equals(first.specification())) {
        obstacles.add(result.directory() + " ran another specification than " + first.directory());
      }
      if (!result.machine().equals(first.machine())) {
        obstacles.add(
            "%s ran on %s, %s on %s"
                .formatted(
                    result.directory(), result.machine(), first.directory(), first.machine()));
      }
    }
    return obstacles;
  }

  private static Set<Path> places(ComparableResults side) {
    return side.results.stream()
        .map(result -> SubResults.place(result.directory()))
        .collect(Collectors.toSet());
  }

  private static Set<String> servers(Result result) {
    return result.findings().servers().stream()
        .map(ServerFindings::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> within(Path directory, Predicate<Path> admitted) {
    if (!Files.isDirectory(directory)) {
      throw noResult(directory, "there is no such directory");
    }
    List<Path> children;
    try {
      children = SubResults.of(directory);
    } catch (IOException e) {
      throw noResult(directory, "it cannot be read (" + e.getMessage() + ")");
    }
    List<Path> results =
        children.stream()
            .filter(child -> Files.exists(child.resolve(FindingsFile.NAME)) || isWithout(child))
            .filter(admitted)
            .sorted()
            .toList();
    results.stream()
        .filter(ComparableResults::isWithout)
        .findFirst()
        .ifPresent(child -> {
          throw noResult(child, "it has no findings, as a run that failed or has not ended");
        });
    if (results.isEmpty()) {
      throw noResult(directory, "it holds no result");
    }
    return results;
  }

  /** Whether a directory is that of a run without findings, which nobody is to overlook. */
  private static boolean isWithout(Path directory) {
    return Files.exists(directory.resolve(ResultFiles.SPECIFICATION))
        && !Files.exists(directory.resolve(FindingsFile.NAME));
  }

  private static TerraceException noResult(Path directory, String why) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        directory
            + ": "
            + why
            + "; expected what terrace run or terrace analyze has written, or a directory of such");
  }

  private static Result result(Path directory, Consumer<Path> beforeReading) {
    beforeReading.accept(directory.resolve(FindingsFile.NAME));
    beforeReading.accept(directory.resolve(FACTS));
    Findings findings = FindingsFile.read(directory.resolve(FindingsFile.NAME));
    TrialFacts facts = ResultDirectory.facts(directory);
    Map<String, String> machine = new TreeMap<>();
    String specification = "";
    if (facts != null) {
      specification = Objects.requireNonNullElse(facts.specification(), "");
      facts.machine().stream()
          .filter(fact -> MACHINE.contains(fact.name()) || fact.name().startsWith(HOST))
          .forEach(fact -> machine.put(fact.name(), hardware(fact.value())));
    }
    return new Result(directory, findings, facts != null, specification, machine);
  }

  private static String hardware(String value) {
    int kernel = value.lastIndexOf(KERNEL);
    return kernel < 0 ? value : value.substring(0, kernel);
  }
}
