package org.terrace.dashboard;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.comparison.ComparableResults;
import org.terrace.dashboard.comparison.ComparedSides;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.http.PageRequest;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.dashboard.pages.ComparisonPage;
import org.terrace.dashboard.results.Catalogue.Listing;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ResultSummary;
import org.terrace.dashboard.results.ServedDirectory;
import org.terrace.experiment.progress.ProgressReader;

/** Two results, or directories of results, compared as the command compares them. Thread-safe. */
final class Comparisons {
  private static final double MARGIN_PERCENT = 5;

  private final ServedDirectory served;
  private final AnswerMemory memory;

  /** The most results or groups of results that a side names. */
  private static final int MOST_NAMES = 100;

  /** The most bytes that the files of both sides have together: all are in memory at once. */
  private static final long MOST_BYTES = ServedDirectory.MOST_BYTES;

  Comparisons(ServedDirectory served, AnswerMemory memory) {
    this.served = served;
    this.memory = memory;
  }

  /** The files of a comparison, all of which are in memory until it is made. */
  private final class Reading implements AutoCloseable {
    private final List<AnswerMemory.Held> held = new ArrayList<>();
    private long bytes;

    /** Refuses what is no file, whose reading might never end, or is too much in memory. */
    void admit(Path file) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new TerraceException(ErrorCode.BAD_INPUT, file + ": it is no file");
      }
      bytes += file.toFile().length();
      if (bytes > MOST_BYTES) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            file
                + ": with it, the files to compare have more than "
                + MOST_BYTES
                + " bytes; choose fewer results, or use terrace compare");
      }
      held.add(memory.takeToRead(file.toFile().length()));
    }

    @Override
    public void close() {
      held.forEach(AnswerMemory.Held::close);
    }
  }

  /** The page for a request, which names both sides, or two results of a list. */
  PageResponse answer(PageRequest request, Listing listing) {
    double margin = MARGIN_PERCENT;
    String problem = "";
    try {
      margin = Double.parseDouble(request.parameter("margin").orElse("5"));
    } catch (NumberFormatException e) {
      margin = -1;
    }
    if (!ComparedSides.isMargin(margin)) {
      problem = "The margin is no percentage above 0, at most 100.";
      margin = MARGIN_PERCENT;
    }
    ComparisonPage.Choice choice = choice(request, listing, margin);
    if (!request.all("pick").isEmpty() && request.all("pick").size() != 2) {
      problem = "Tick two results; " + request.all("pick").size() + " were ticked.";
    }
    Optional<ComparedSides> compared = Optional.empty();
    if (problem.isEmpty() && !choice.before().isEmpty() && !choice.after().isEmpty()) {
      try (Reading read = new Reading()) {
        compared =
            Optional.of(
                ComparedSides.of(side(choice.before(), read), side(choice.after(), read), margin));
      } catch (TerraceException e) {
        problem = String.valueOf(e.getMessage()).replace(served.root() + "/", "");
      }
    }
    return PageResponse.html(ComparisonPage.page(listing, choice, compared, problem));
  }

  /** The two sides; of two ticked results the one that began earlier is the one before. */
  private static ComparisonPage.Choice choice(PageRequest request, Listing listing, double margin) {
    List<String> picks = request.all("pick");
    if (picks.size() == 2) {
      List<String> aged =
          listing.results().stream()
              .filter(each -> picks.contains(each.place().path()))
              .sorted(Comparator.comparingLong(Comparisons::beganMillis))
              .map(each -> each.place().path())
              .toList();
      List<String> both = aged.size() == 2 ? aged : picks;
      return new ComparisonPage.Choice(both.subList(0, 1), both.subList(1, 2), margin);
    }
    return new ComparisonPage.Choice(named(request, "before"), named(request, "after"), margin);
  }

  /**
   * The moment at which the work on a result began; where it does not say so, that of its file's
   * last change.
   */
  private static long beganMillis(ResultSummary result) {
    return ProgressReader.of(result.place().directory())
        .map(each -> TimeUnit.NANOSECONDS.toMillis(each.startNanos()))
        .orElse(result.epochMillis());
  }

  private static List<String> named(PageRequest request, String side) {
    return request.all(side).stream().filter(each -> !each.isEmpty()).toList();
  }

  /**
   * @param read the files of the comparison
   */
  private ComparableResults side(List<String> paths, Reading read) {
    if (paths.size() > MOST_NAMES || Set.copyOf(paths).size() < paths.size()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "a side has at most " + MOST_NAMES + " results, each of them named once");
    }
    List<ComparableResults.Result> results = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String path : paths) {
      ResultPlace place =
          PageRequest.segments(path)
              .flatMap(served::find)
              .orElseThrow(() ->
                  new TerraceException(ErrorCode.BAD_INPUT, path + ": there is no such result"));
      names.add(place.name());
      results.addAll(
          ComparableResults.of(place.directory(), this::isWithin, read::admit).results());
    }
    return new ComparableResults(String.join(", ", names), results);
  }

  /** Whether a result within a directory of results is one that is served: no link leads to it. */
  private boolean isWithin(Path directory) {
    List<String> segments = new ArrayList<>();
    served.root().relativize(directory).forEach(each -> segments.add(each.toString()));
    return served.find(segments).isPresent();
  }
}
