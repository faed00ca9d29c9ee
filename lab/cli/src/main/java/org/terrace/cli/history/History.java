package org.terrace.cli.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.comparison.SubResults;
import org.terrace.details.history.MetricHistory;
import org.terrace.experiment.Trial;
import org.terrace.mesh.MeshFile;
import org.terrace.report.FindingsFile;
import org.terrace.report.PendingResult;

/**
 * A history as a user names it: results of {@code terrace run}, files of {@code terrace bench}, or
 * comma-separated values; the oldest first. Immutable.
 *
 * @param figures its figures, those that decide first
 * @param folder the directory in which its acknowledgements lie
 * @param file the name of the file of comma-separated values that it is, or begins with; empty
 *     where it is of results or benchmarks
 * @param notes what was left out, a sentence each
 * @param newestLeftOut the labels of the results that were left out and are newer than every point
 */
public record History(
    List<MetricHistory> figures,
    Path folder,
    String file,
    List<String> notes,
    List<String> newestLeftOut) {
  private static final String EXPECTED =
      "; expected results of terrace run, files of terrace bench --json, a directory of either, or"
          + " a CSV file with the columns time,label,metric,value,unit";

  /** Copies the lists. */
  public History {
    figures = List.copyOf(figures);
    notes = List.copyOf(notes);
    newestLeftOut = List.copyOf(newestLeftOut);
  }

  /** The kinds of what a history is of. */
  private enum Kind {
    RESULTS,
    BENCHMARKS,
    CSV
  }

  /**
   * One place that holds a point or more: a result, a file. Also a run that left no result, and a
   * directory of several.
   */
  record Item(String label, Path place) {
    /** The reason why it is no point of a history of results; empty if it is one. */
    Optional<String> whyNoPoint() {
      if (isRunWithoutResult(place)) {
        return Optional.of("it has no findings: it failed, or has not ended");
      }
      return isGroup(place)
          ? Optional.of("it holds several results, of which none is the point: name one of them")
          : Optional.empty();
    }
  }

  private record Items(Kind kind, List<Item> items) {}

  /**
   * Reads a history.
   *
   * @throws TerraceException if it is none, or what it holds cannot be compared
   */
  public static History read(List<String> arguments) {
    Kind kind = null;
    List<Item> items = new ArrayList<>();
    for (String argument : arguments) {
      Labelled labelled = Labelled.parse(argument);
      Path path = Path.of(labelled.target());
      if (AcknowledgedChanges.isFile(path)) {
        continue;
      }
      Items found = items(labelled, path);
      if (kind != null && kind != found.kind()) {
        throw wrong(path, "it is of another kind than what is named before it");
      }
      kind = found.kind();
      items.addAll(found.items());
    }
    if (kind == null) {
      throw wrong(Path.of(arguments.getFirst()), "it holds no history");
    }
    List<String> notes = new ArrayList<>();
    SeriesBuilder series = new SeriesBuilder(kind != Kind.CSV);
    List<String> newestLeftOut = List.of();
    switch (kind) {
      case RESULTS -> newestLeftOut = ResultPoints.addAll(items, series, notes);
      case BENCHMARKS -> BenchPoints.addAll(items, series);
      case CSV -> CsvPoints.addAll(items, series);
    }
    String file = kind == Kind.CSV ? items.getFirst().label() : "";
    Path first = Path.of(Labelled.parse(arguments.getFirst()).target());
    return new History(series.histories(), folder(first), file, notes, newestLeftOut);
  }

  /** The directory that holds a file or a result, or the one that holds several itself. */
  private static Path folder(Path first) {
    Path path = first.toAbsolutePath().normalize();
    boolean holds = Files.isDirectory(path) && !isRun(path);
    Path parent = path.getParent();
    return holds || parent == null ? path : parent;
  }

  private static Items items(Labelled labelled, Path path) {
    String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
    if (isRun(path)) {
      String label = isResult(path) ? name : withoutEnding(name);
      return new Items(Kind.RESULTS, List.of(new Item(labelled.labelOr(label), path)));
    }
    if (Files.isDirectory(path)) {
      return within(labelled, path);
    }
    if (!Files.exists(path)) {
      throw wrong(path, "there is no such file or directory");
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".csv")) {
      return new Items(Kind.CSV, List.of(new Item(name, path)));
    }
    if (isBenchmark(path)) {
      return new Items(
          Kind.BENCHMARKS, List.of(new Item(labelled.labelOr(withoutEnding(name)), path)));
    }
    throw wrong(path, "it is no history");
  }

  private static Items within(Labelled labelled, Path directory) {
    List<Path> children = children(directory);
    // A directory of files of benchmarks is none of results for a run that failed among them.
    Kind kind =
        children.stream().anyMatch(History::isResult)
                || children.stream().noneMatch(History::isBenchmark)
            ? Kind.RESULTS
            : Kind.BENCHMARKS;
    String prefix = labelled.label().isEmpty() ? "" : labelled.label() + "/";
    List<Item> items =
        children.stream()
            .filter(
                child -> kind == Kind.RESULTS ? isRun(child) || isGroup(child) : isBenchmark(child))
            .map(child -> new Item(prefix + labelOf(child), child))
            .toList();
    if (items.stream().allMatch(item -> kind == Kind.RESULTS && isGroup(item.place()))) {
      throw wrong(directory, "it holds no results and no files of benchmarks");
    }
    return new Items(kind, items);
  }

  private static List<Path> children(Path directory) {
    try {
      return SubResults.of(directory).stream()
          .sorted(
              Comparator.comparing(
                  child -> String.valueOf(child.getFileName()), new NaturalOrder()))
          .toList();
    } catch (IOException e) {
      throw wrong(directory, "it cannot be read (" + e.getMessage() + ")");
    }
  }

  private static String labelOf(Path child) {
    String name = String.valueOf(child.getFileName());
    return isResult(child) ? name : withoutEnding(name);
  }

  private static String withoutEnding(String name) {
    for (String ending : List.of(BenchPoints.ENDING, PendingResult.UNFINISHED)) {
      if (name.endsWith(ending)) {
        return name.substring(0, name.length() - ending.length());
      }
    }
    return name;
  }

  private static boolean isRun(Path path) {
    return isResult(path) || isRunWithoutResult(path);
  }

  private static boolean isRunWithoutResult(Path path) {
    return !isResult(path)
        && Files.exists(path.resolve(Trial.SPECIFICATION_FILE))
        && !Files.exists(path.resolve(MeshFile.NAME));
  }

  /** Whether a directory is none of a result, and holds some. */
  private static boolean isGroup(Path path) {
    // What may not be looked into, as lost+found, holds nothing that anybody put there.
    return Files.isDirectory(path)
        && Files.isReadable(path)
        && !isRun(path)
        && children(path).stream().anyMatch(History::isRun);
  }

  private static boolean isResult(Path path) {
    return Files.exists(path.resolve(FindingsFile.NAME));
  }

  private static boolean isBenchmark(Path path) {
    return Files.isRegularFile(path) && path.toString().endsWith(BenchPoints.ENDING);
  }

  private static TerraceException wrong(Path path, String why) {
    return new TerraceException(ErrorCode.BAD_INPUT, "--history " + path + ": " + why + EXPECTED);
  }
}
