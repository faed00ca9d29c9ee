package org.terrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.core.CountedNoun;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.comparison.SubResults;
import org.terrace.fleet.FleetTrial;
import org.terrace.fleet.FleetWriter;
import org.terrace.observation.ObservationFiles;
import org.terrace.report.FindingsFile;
import org.terrace.report.PendingResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** {@code terrace export}: results as trials of a data set that many machines read. */
@Command(
    name = "export",
    description = {
      "Adds results to the data set of a fleet.",
      "It is Parquet by trial, server and hour, which Apache Spark analyses on any number",
      "of machines, and DuckDB, pandas and Spark SQL read as it is. A directory of several",
      "results, or of a mesh, adds each of them."
    },
    footer = {
      "",
      "Examples:",
      "  terrace export out/quickstart --fleet fleet",
      "  terrace export monday-analysis --fleet /mnt/fleet --name shop-monday",
      "  terrace export out/mesh --fleet fleet --replace",
      "",
      "The guide docs/guide/fleet.md has the tables, and the call of spark-submit."
    })
final class ExportCommand implements Callable<Integer> {
  private static final String FORMAT = "terrace-export/1";
  private static final String MESH_TRIALS = "trials";

  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description = "what terrace run or terrace analyze has written")
  private List<Path> directories = List.of();

  @Option(
      names = "--fleet",
      paramLabel = "FOLDER",
      required = true,
      description = "the data set, which is made if it is not there")
  private Path fleet = Path.of("");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "the name of the trial; default: that of its directory")
  private @Nullable String name;

  @Option(names = "--replace", description = "replaces trials of the same name")
  private boolean replace;

  @Option(names = "--json", description = "as JSON, format " + FORMAT)
  private boolean json;

  @Mixin private Console console = new Console();

  /** The directories with requests that are no results, and why. */
  private final List<String> leftOut = new ArrayList<>();

  /** The JSON of an export. */
  private record Exported(
      String format, String fleet, List<ExportedTrial> trials, List<String> leftOut) {}

  private record ExportedTrial(String trial, String directory, long requests, int servers) {}

  @Override
  public Integer call() {
    Map<String, Path> trials = trials();
    leftOut.forEach(each -> console.message("left out: %s", each));
    if (!replace) {
      // Before anything is written, so that a command that is refused has changed nothing.
      trials.keySet().stream()
          .filter(trial -> FleetWriter.has(fleet, trial))
          .findFirst()
          .ifPresent(trial -> {
            throw new TerraceException(
                ErrorCode.BAD_INPUT,
                fleet
                    + " has a trial "
                    + trial
                    + " already. Give this one another --name, or replace that one with --replace.");
          });
    }
    List<ExportedTrial> exported = new ArrayList<>();
    trials.forEach((trial, directory) -> {
      console.progress("exporting %s (%d of %d)", directory, exported.size() + 1, trials.size());
      exported.add(added(trial, directory, exported));
    });
    console.endProgress();
    print(exported);
    return 0;
  }

  private ExportedTrial added(String trial, Path directory, List<ExportedTrial> before) {
    try {
      FleetTrial added = FleetWriter.add(fleet, trial, ObservationFiles.read(directory), replace);
      return new ExportedTrial(
          trial, directory.toString(), added.requests(), added.servers().size());
    } catch (TerraceException e) {
      if (before.isEmpty()) {
        throw e;
      }
      throw new TerraceException(
          e.code(),
          "%s%nAdded before it: %s. Repeat the command for the others, or with --replace for all."
              .formatted(
                  e.getMessage(),
                  String.join(", ", before.stream().map(ExportedTrial::trial).toList())),
          e);
    }
  }

  private void print(List<ExportedTrial> exported) {
    if (json) {
      System.out.println(
          JsonMapper.shared()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(new Exported(FORMAT, fleet.toString(), exported, leftOut)));
    } else {
      for (ExportedTrial each : exported) {
        System.out.printf(
            Locale.ROOT,
            "%s: %s of %s%n",
            each.trial(),
            CountedNoun.of(each.requests(), "request"),
            CountedNoun.of(each.servers(), "server"));
      }
    }
    System.out.flush();
  }

  /** The results by the names of their trials. */
  private Map<String, Path> trials() {
    Map<String, Path> trials = new LinkedHashMap<>();
    // Those that are no links come first, and stand for themselves.
    List<Path> ordered =
        directories.stream().sorted(Comparator.comparing(Files::isSymbolicLink)).toList();
    for (Path directory : ordered) {
      if (isResult(directory)) {
        // A list of several is often a pattern that the shell filled in.
        if (directories.size() > 1 && !isWhole(directory)) {
          continue;
        }
        add(trials, name == null ? nameOf(directory) : name, directory);
      } else {
        List<Path> inside = resultsIn(directory);
        if (inside.isEmpty()) {
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              directory
                  + ": expected "
                  + ObservationFiles.REQUESTS
                  + " in it or in directories below it. Name one that terrace run or terrace"
                  + " analyze has written."
                  + (leftOut.isEmpty() ? "" : " Left out: " + String.join(", ", leftOut) + "."));
        }
        String prefix = name == null ? nameOf(directory) : name;
        inside.forEach(each -> add(trials, prefix + "-" + nameOf(each), each));
      }
    }
    return trials;
  }

  private void add(Map<String, Path> trials, String trial, Path directory) {
    for (Path before : trials.values()) {
      if (isSame(before, directory)) {
        leftOut.add(directory + " (it is " + before + " again)");
        return;
      }
    }
    Path other = trials.put(trial, directory);
    if (other != null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          other
              + " and "
              + directory
              + " would both be the trial "
              + trial
              + ". Export them one by one, each with its --name.");
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      return false;
    }
  }

  private static String nameOf(Path directory) {
    return String.valueOf(directory.toAbsolutePath().normalize().getFileName());
  }

  private static boolean isResult(Path directory) {
    return Files.isRegularFile(directory.resolve(ObservationFiles.REQUESTS));
  }

  /** The results directly below a directory, or below the trials of a mesh. */
  private List<Path> resultsIn(Path directory) {
    List<Path> found = new ArrayList<>();
    for (Path place : List.of(directory, directory.resolve(MESH_TRIALS))) {
      if (Files.isDirectory(place)) {
        try {
          SubResults.of(place).stream()
              .filter(ExportCommand::isResult)
              .sorted()
              .filter(this::isWhole)
              .forEach(found::add);
        } catch (IOException e) {
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              place + ": it cannot be listed (" + e.getMessage() + "). Name one that can be read.",
              e);
        }
      }
    }
    return found;
  }

  /** Whether a run that left requests came to its end; if not, it is left out. */
  private boolean isWhole(Path directory) {
    if (PendingResult.isLeftover(nameOf(directory))) {
      leftOut.add(directory + " (another took its place)");
      return false;
    }
    if (nameOf(directory).endsWith(PendingResult.UNFINISHED)) {
      leftOut.add(directory + " (it is not finished)");
      return false;
    }
    if (!Files.exists(directory.resolve(FindingsFile.NAME))) {
      leftOut.add(directory + " (it has no findings)");
      return false;
    }
    return true;
  }
}
