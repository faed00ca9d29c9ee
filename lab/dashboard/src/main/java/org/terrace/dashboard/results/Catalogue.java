package org.terrace.dashboard.results;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.results.ResultSummary.State;
import org.terrace.report.PendingResult;

/**
 * The results below the served directory. Each is read once, and again when its file changes; the
 * walk stops at {@value #MOST_RESULTS} results, or after {@value #MOST_DIRECTORIES} directories,
 * and says so. Thread-safe.
 */
public final class Catalogue {
  /** The results that are listed at most. */
  public static final int MOST_RESULTS = 5_000;

  /** The directories that a walk looks into at most. */
  public static final int MOST_DIRECTORIES = 50_000;

  private final ServedDirectory served;
  private final SummaryReader reader;
  private final TimeSource time;
  private final Map<Path, Kept> kept = new ConcurrentHashMap<>();
  private final AtomicBoolean reading = new AtomicBoolean();

  /** A catalogue of what lies below a directory. */
  public Catalogue(ServedDirectory served, TimeSource time) {
    this.served = served;
    this.time = time;
    reader = new SummaryReader();
  }

  private record Kept(Mark mark, ResultSummary summary) {}

  /**
   * The results at one moment.
   *
   * @param results all of them, those that run first, then the newest first
   * @param groups directories that hold two results or more, such as repeats
   * @param cut whether there are more than are listed
   */
  public record Listing(List<ResultSummary> results, List<ResultPlace> groups, boolean cut) {
    /** Copies the lists. */
    public Listing {
      results = List.copyOf(results);
      groups = List.copyOf(groups);
    }

    /** The number of results in a state. */
    public long count(State state) {
      return results.stream().filter(each -> each.state() == state).count();
    }
  }

  /**
   * Lists the results. What has not been read within a time is listed as {@link State#UNREAD}, and
   * read behind the caller's back, for the next time.
   */
  public Listing list(Duration within) {
    Walk walk = new Walk();
    walk.into(served.rootPlace(), 0);
    runningBeside().ifPresent(place -> walk.found.addFirst(place));
    long deadline = time.elapsedNanos() + within.toNanos();
    List<ResultSummary> results = new ArrayList<>();
    List<ResultPlace> unread = new ArrayList<>();
    for (ResultPlace place : walk.found) {
      Optional<ResultSummary> known = known(place);
      if (known.isEmpty() && time.elapsedNanos() < deadline) {
        known = Optional.of(read(place));
      }
      if (known.isEmpty()) {
        unread.add(place);
      }
      results.add(known.orElseGet(() -> SummaryReader.unread(place, Mark.of(place).millis())));
    }
    if (!unread.isEmpty() && reading.compareAndSet(false, true)) {
      Thread.ofVirtual().name("read-results").start(() -> readAll(unread));
    }
    kept.keySet()
        .retainAll(walk.found.stream().map(ResultPlace::directory).collect(Collectors.toSet()));
    results.sort(
        Comparator.comparing((ResultSummary each) -> each.state() != State.RUNNING)
            .thenComparing(Comparator.comparingLong(ResultSummary::epochMillis).reversed())
            .thenComparing(each -> each.place().name()));
    return new Listing(results, walk.groups, walk.cut);
  }

  /** The result in a place; empty if there is none. */
  public Optional<ResultSummary> at(ResultPlace place) {
    return isResult(place.directory())
        ? Optional.of(known(place).orElseGet(() -> read(place)))
        : Optional.empty();
  }

  /** The result that a command writes into the served directory itself, beside it. */
  public Optional<ResultPlace> runningBeside() {
    Path root = served.root();
    Path name = root.getFileName();
    if (name == null) {
      return Optional.empty();
    }
    Path beside = root.resolveSibling(name + ResultPlace.UNFINISHED);
    boolean usable =
        Files.isDirectory(beside, LinkOption.NOFOLLOW_LINKS)
            && Files.isRegularFile(beside.resolve(Mark.PROGRESS), LinkOption.NOFOLLOW_LINKS);
    return usable && !ServedDirectory.holdsLink(beside)
        ? Optional.of(new ResultPlace(List.of(), beside))
        : Optional.empty();
  }

  private void readAll(List<ResultPlace> unread) {
    try {
      unread.forEach(this::read);
    } finally {
      reading.set(false);
    }
  }

  private Optional<ResultSummary> known(ResultPlace place) {
    Kept known = kept.get(place.directory());
    Mark mark = Mark.of(place);
    return known != null && known.mark().equals(mark) && known.summary().state() != State.RUNNING
        ? Optional.of(known.summary())
        : Optional.empty();
  }

  private ResultSummary read(ResultPlace place) {
    Mark mark = Mark.of(place);
    ResultSummary summary = reader.read(place, mark);
    kept.put(place.directory(), new Kept(mark, summary));
    return summary;
  }

  private static boolean isResult(Path directory) {
    return Mark.NAMES.stream()
        .anyMatch(name -> Files.isRegularFile(directory.resolve(name), LinkOption.NOFOLLOW_LINKS));
  }

  /**
   * The file by which a result is known to have changed, and its command to have begun anew.
   *
   * @param name the file's name; empty if there is none
   * @param millis when it was written last, since the Unix epoch
   * @param bytes its size
   * @param progressMillis when the progress of its command was written last, since the Unix epoch;
   *     0 if it is not there
   */
  record Mark(String name, long millis, long bytes, long progressMillis) {
    static final String PROGRESS = "progress.jsonl";
    static final String MESH = "mesh.json";
    static final String FINDINGS = "findings.json";

    /** A study leaves its findings beside the trials that it gives to be planned with. */
    static final List<String> NAMES = List.of(FINDINGS, MESH, PROGRESS);

    static Mark of(ResultPlace place) {
      long progress = attributes(place, PROGRESS).map(each -> millis(each)).orElse(0L);
      for (String name : NAMES) {
        Optional<BasicFileAttributes> facts = attributes(place, name);
        if (facts.isPresent()) {
          return new Mark(name, millis(facts.get()), facts.get().size(), progress);
        }
      }
      return new Mark("", 0, 0, progress);
    }

    private static long millis(BasicFileAttributes facts) {
      return facts.lastModifiedTime().toMillis();
    }

    private static Optional<BasicFileAttributes> attributes(ResultPlace place, String name) {
      try {
        return Optional.of(
                Files.readAttributes(
                    place.directory().resolve(name),
                    BasicFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS))
            .filter(BasicFileAttributes::isRegularFile);
      } catch (IOException e) {
        return Optional.empty();
      }
    }
  }

  /** One walk through the directories. */
  private static final class Walk {
    private final List<ResultPlace> found = new ArrayList<>();
    private final List<ResultPlace> groups = new ArrayList<>();
    private int directories;
    private boolean cut;

    private void into(ResultPlace place, int depth) {
      if (isResult(place.directory())) {
        found.add(place);
        return;
      }
      int before = found.size();
      int direct = 0;
      for (ResultPlace child : children(place)) {
        if (found.size() >= MOST_RESULTS || ++directories > MOST_DIRECTORIES) {
          cut = true;
          return;
        }
        int count = found.size();
        if (depth + 1 < ServedDirectory.MOST_SEGMENTS) {
          into(child, depth + 1);
        }
        boolean whole = Files.exists(child.directory().resolve(Mark.FINDINGS));
        direct += found.size() == count + 1 && whole ? 1 : 0;
      }
      if (direct > 1 && found.size() > before && !place.segments().isEmpty()) {
        groups.add(place);
      }
    }

    private List<ResultPlace> children(ResultPlace place) {
      List<ResultPlace> children = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(place.directory())) {
        for (Path entry : entries) {
          String name = String.valueOf(entry.getFileName());
          if (ServedDirectory.isName(name)
              && !PendingResult.isLeftover(name)
              && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            List<String> segments = new ArrayList<>(place.segments());
            segments.add(name);
            children.add(new ResultPlace(segments, entry));
          }
          if (children.size() > MOST_DIRECTORIES) {
            cut = true;
            break;
          }
        }
      } catch (IOException e) {
        // A directory that went meanwhile, or that may not be read, holds nothing to show.
        return children;
      }
      children.sort(Comparator.comparing(ResultPlace::name));
      return children;
    }
  }
}
