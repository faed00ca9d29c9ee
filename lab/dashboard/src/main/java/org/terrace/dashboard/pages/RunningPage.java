package org.terrace.dashboard.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Axis;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.experiment.progress.RunProgress;
import org.terrace.experiment.progress.RunProgress.Second;
import org.terrace.observation.Event;
import org.terrace.report.ReportWriter;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;

/** The page of a command at work, whose middle part is drawn again each second. Stateless. */
public final class RunningPage {
  private static final double NANOS_A_SECOND = 1e9;
  private static final double MICROS_A_MILLI = 1e3;
  private static final int SHOWN_LINES = 8;

  private RunningPage() {}

  /** The page, with what is known now. */
  public static String page(ResultPlace place, RunProgress progress, long nowNanos) {
    return PageFrame.page(
        progress.name(),
        page -> {
          page.open("section", "id", "verdict").open("p", "class", "state-line");
          page.leaf("span", "▶ running", "class", "state running");
          page.leaf("span", progress.kind() + " " + progress.name(), "class", "muted");
          page.close().close();
          live(place, progress, nowNanos, page);
        });
  }

  /** The page of a command that ended before it left a result. */
  public static String ended(
      ResultPlace place, String reason, Optional<RunProgress> progress, long nowNanos) {
    return PageFrame.page(
        place.name(),
        page -> {
          page.open("section", "id", "verdict").open("p", "class", "state-line");
          page.leaf("span", "✕ failed", "class", "state failed");
          page.leaf("span", reason, "class", "muted").close();
          page.leaf("p", "It left no result. This is how far it came:", "class", "deck").close();
          page.open("div", "id", "live");
          progress.ifPresent(each -> page.add(now(each, each.lastNanos())));
          if (progress.isEmpty()) {
            page.leaf("h1", place.name());
          }
          page.close();
        });
  }

  private static void live(ResultPlace place, RunProgress progress, long nowNanos, Markup page) {
    page.open("div", "id", "live", "data-events", "/live" + place.path());
    page.add(now(progress, nowNanos)).close();
    page.leaf("p", "", "id", "live-end", "role", "status", "class", "deck");
    if (progress.kind().equals("mesh")) {
      page.open("p", "class", "actions");
      page.leaf(
          "a",
          "The plan of what is done",
          "href",
          "/result" + place.path() + "?view=plan",
          "class",
          "button");
      page.close();
    }
  }

  /** The progress as it is known now. */
  public static Markup now(RunProgress progress, long nowNanos) {
    Markup page = new Markup();
    page.leaf("h1", headline(progress));
    trial(progress, page);
    figures(progress, nowNanos, page);
    List<Figure> drawn = drawn(progress);
    if (!drawn.isEmpty()) {
      page.leaf("h2", "Second by second", "class", "hidden");
      page.add(ReportWriter.drawings(drawn));
    }
    page.open("div", "class", "columns");
    lines("Faults so far", faults(progress), "None so far.", page);
    lines("Trials that ended", ended(progress), "", page);
    lines("Warnings", progress.warnings(), "None so far.", page);
    lines("Messages", progress.messages(), "", page);
    page.close();
    return page;
  }

  private static String headline(RunProgress progress) {
    String phase = progress.phase().isEmpty() ? "beginning" : progress.phase();
    return Character.toUpperCase(phase.charAt(0)) + phase.substring(1);
  }

  private static void trial(RunProgress progress, Markup page) {
    RunProgress.CurrentTrial trial = progress.trial();
    if (trial == null) {
      return;
    }
    page.open("p", "class", "deck").text("Trial ");
    page.leaf("b", trial.number() + " of " + trial.trials()).text(": " + trial.label());
    page.text(trial.attempt() > 1 ? ", attempt " + trial.attempt() : "").close();
    page.empty(
        "progress",
        "max",
        Integer.toString(Math.max(1, trial.trials())),
        "value",
        Integer.toString(Math.max(0, trial.number() - 1)),
        "aria-label",
        "Trials done");
  }

  private static void figures(RunProgress progress, long nowNanos, Markup page) {
    Optional<Second> last = progress.last();
    long errors = progress.load().errors();
    PageFrame.figures(
        page,
        row -> {
          PageFrame.figure(
              row, "Runs for", clock(nowNanos - progress.startNanos()), "since it was started");
          PageFrame.figure(
              row,
              "Users",
              last.map(each -> Quantity.count(each.users())).orElse("–"),
              last.map(Second::phase).orElse("not begun"));
          PageFrame.figure(
              row,
              "Pages",
              last.map(each -> Quantity.number(each.requestsPerSecond())).orElse("–"),
              "in the last second");
          PageFrame.figure(
              row,
              "Median",
              last.filter(Second::isTimed)
                  .map(each -> Quantity.micros(each.p50Micros()))
                  .orElse("–"),
              "response time");
          PageFrame.figure(
              row,
              "99th percentile",
              last.filter(Second::isTimed)
                  .map(each -> Quantity.micros(each.p99Micros()))
                  .orElse("–"),
              "response time");
          PageFrame.figure(row, "Failures", Quantity.count(errors), "pages so far");
        });
  }

  private static String clock(long nanos) {
    long seconds = Math.max(0, Math.round(nanos / NANOS_A_SECOND));
    return seconds < 3_600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
  }

  private static List<Figure> drawn(RunProgress progress) {
    List<Second> seconds = progress.seconds();
    if (seconds.size() < 2) {
      return List.of();
    }
    long origin = progress.load().startNanos();
    long first = seconds.getFirst().atNanos();
    boolean isWhole = first <= origin;
    List<Point> rate = new ArrayList<>();
    List<Point> failures = new ArrayList<>();
    for (Second second : seconds) {
      double at = (second.atNanos() - origin) / NANOS_A_SECOND;
      rate.add(Point.of(at, second.requestsPerSecond()));
      failures.add(Point.of(at, (double) second.errors()));
    }
    List<Series> pages = new ArrayList<>();
    pages.add(new Series("pages", Kind.LINE, rate));
    pages.add(new Series("failed pages", Kind.LINE, failures));
    double top = seconds.stream().mapToDouble(Second::requestsPerSecond).max().orElse(0);
    List<Point> faults =
        progress.faults().stream()
            .filter(fault -> isWhole || fault.startNanos() >= first)
            .map(fault ->
                new Point(
                    Math.max(0, (fault.startNanos() - origin) / NANOS_A_SECOND),
                    1.06 * top,
                    null,
                    null,
                    null,
                    null))
            .toList();
    if (!faults.isEmpty()) {
      pages.add(new Series("faults, listed below", Kind.POINTS, faults));
    }
    String left =
        isWhole ? "" : " Only the last " + clock(seconds.getLast().atNanos() - first) + " is kept.";
    Axis time = Axis.linear("Since the load began", "s");
    return List.of(
        new Figure(
            "Throughput",
            "Pages that ended in each second." + left,
            time,
            Axis.linear("Pages", "/s"),
            pages,
            ""),
        responseTimes(seconds, origin, time, left));
  }

  /** The response times of each second; one in which no page ended has none. */
  private static Figure responseTimes(List<Second> seconds, long origin, Axis time, String left) {
    List<Point> median = new ArrayList<>();
    List<Point> tail = new ArrayList<>();
    for (Second second : seconds) {
      if (second.isTimed()) {
        double at = (second.atNanos() - origin) / NANOS_A_SECOND;
        median.add(Point.of(at, second.p50Micros() / MICROS_A_MILLI));
        tail.add(Point.of(at, second.p99Micros() / MICROS_A_MILLI));
      }
    }
    boolean isGapless = median.size() == seconds.size();
    Kind joined = isGapless ? Kind.LINE : Kind.POINTS;
    return new Figure(
        "Response times",
        "Of the pages that ended in each second, as their users saw them"
            + (isGapless ? "." : "; in some seconds none did.")
            + left,
        time,
        Axis.linear("Response time", "ms"),
        List.of(new Series("median", joined, median), new Series("99th percentile", joined, tail)),
        "");
  }

  private static String words(Event fault) {
    return fault.kind().replace("fault-", "").replace('-', ' ') + " " + fault.node();
  }

  private static List<String> faults(RunProgress progress) {
    return progress.faults().stream()
        .map(fault ->
            words(fault)
                + ", "
                + Quantity.nanos((double) (fault.endNanos() - fault.startNanos()))
                + ", "
                + clock(fault.startNanos() - progress.startNanos())
                + " after the start")
        .toList();
  }

  private static List<String> ended(RunProgress progress) {
    return progress.ended().stream()
        .map(each -> each.label() + (each.failure().isEmpty() ? ": done" : ": " + each.failure()))
        .toList();
  }

  /** The last lines of a list, the newest first. */
  private static void lines(String title, List<String> all, String none, Markup page) {
    if (all.isEmpty() && none.isEmpty()) {
      return;
    }
    page.open("div").leaf("h2", title);
    if (all.isEmpty()) {
      page.leaf("p", none, "class", "muted");
    } else {
      page.open("ul", "class", "lines");
      all.reversed().stream().limit(SHOWN_LINES).forEach(line -> page.leaf("li", line));
      page.close();
    }
    page.close();
  }
}
