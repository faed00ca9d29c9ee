package org.terrace.cli.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.dashboard.comparison.ComparedSides;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.ResultComparison;
import org.terrace.details.history.ChangePoints;
import org.terrace.details.history.HistoryChange;
import org.terrace.details.history.MetricHistory;
import org.terrace.details.history.MetricTrend;
import org.terrace.details.history.MissingStretch;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A judged history in words: for a terminal, for a pipeline's summary, and as JSON. Immutable. */
public final class HistoryText {
  /** The format of the JSON. */
  public static final String FORMAT = "terrace-history/1";

  private static final List<String> COLUMNS =
      List.of("figure", "points", "before", "after", "change", "99 % interval", "since", "verdict");

  private static final int MOST_NAMED = 3;

  private static final String NOW_AND_THEN = " now and then";

  private final List<MetricTrend> trends;
  private final AcknowledgedChanges acknowledged;
  private final List<String> newestLeftOut;
  private final Verdict verdict;

  /**
   * The words for trends and the verdict on them.
   *
   * @param newestLeftOut the labels of the newest results, if they are no points
   */
  public HistoryText(
      List<MetricTrend> trends,
      AcknowledgedChanges acknowledged,
      List<String> newestLeftOut,
      Verdict verdict) {
    this.trends = List.copyOf(trends);
    this.acknowledged = acknowledged;
    this.newestLeftOut = List.copyOf(newestLeftOut);
    this.verdict = verdict;
  }

  /** A table for people, with a line's end after each row. */
  public String table() {
    List<List<String>> rows = rows();
    rows.addFirst(COLUMNS);
    int[] widths = new int[COLUMNS.size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder("  ");
      for (int column = 0; column < widths.length; column++) {
        String cell = row.get(column);
        line.append(cell).repeat(" ", widths[column] - cell.length() + 2);
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  /** The same table in Markdown. */
  public String markdown() {
    List<List<String>> rows = rows();
    rows.addFirst(List.of("---", "---:", "---:", "---:", "---:", "---", "---", "---"));
    rows.addFirst(COLUMNS);
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      List<String> cells = row.stream().map(cell -> cell.replace("|", "\\|")).toList();
      text.append("| ")
          .append(String.join(" | ", cells))
          .append(" |")
          .append(System.lineSeparator());
    }
    return text.toString();
  }

  /** The series and their changes as JSON. */
  public String json(double marginPercent) {
    JsonMapper mapper = JsonMapper.shared();
    ObjectNode content = mapper.createObjectNode();
    content.put("format", FORMAT);
    content.put("marginPercent", marginPercent);
    content.put("confidence", ResultComparison.CONFIDENCE);
    content.put("fewestPoints", ChangePoints.FEWEST_VALUES);
    content.put("verdict", verdict.toString());
    content.set("newestLeftOut", mapper.valueToTree(newestLeftOut));
    ArrayNode figures = content.putArray("figures");
    for (MetricTrend trend : trends) {
      ObjectNode figure = figures.addObject();
      figure.set("metric", mapper.valueToTree(trend.metric()));
      figure.put("judged", trend.judged());
      ArrayNode changes = figure.putArray("changes");
      for (HistoryChange change : trend.changes()) {
        ObjectNode node = mapper.valueToTree(change);
        node.put("acknowledged", acknowledged.has(trend.metric().name(), change.at()));
        changes.add(node);
      }
      ArrayNode missing = figure.putArray("missing");
      for (MissingStretch stretch : trend.missing()) {
        ObjectNode node = mapper.valueToTree(stretch);
        node.put("verdict", stretch.verdict().toString());
        node.put("acknowledged", acknowledged.has(trend.metric().name(), stretch.at()));
        missing.add(node);
      }
      figure.set("suspected", mapper.valueToTree(trend.suspected()));
      figure.set("points", mapper.valueToTree(trend.points()));
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(content);
  }

  /** The verdict as a sentence that says what to do. */
  public String sentence() {
    return switch (verdict) {
      case WORSE ->
          "The history became worse: "
              + named(Verdict.WORSE)
              + ". Mend it, or say that it is known: --acknowledge METRIC@POINT.";
      case BETTER -> "The history became better: " + named(Verdict.BETTER) + ".";
      case SAME -> "The history has no change that is not acknowledged.";
      case UNKNOWN -> "The history cannot tell: " + doubts() + ".";
    };
  }

  private String named(Verdict wanted) {
    List<String> found = new ArrayList<>();
    for (MetricTrend trend : trends) {
      for (HistoryChange change : trend.changes()) {
        if (trend.metric().decides()
            && change.verdict() == wanted
            && !acknowledged.has(trend.metric().name(), change.at())) {
          String often = change.nowAndThen() ? NOW_AND_THEN : "";
          found.add(
              "%s@%s (%s%s)".formatted(trend.metric().name(), change.at(), size(change), often));
        }
      }
      for (MissingStretch missing : trend.missing()) {
        if (trend.metric().decides()
            && missing.verdict() == wanted
            && !acknowledged.has(trend.metric().name(), missing.at())) {
          found.add("%s@%s (missing)".formatted(trend.metric().name(), missing.at()));
        }
      }
    }
    return listed(found);
  }

  private String doubts() {
    List<String> doubts = new ArrayList<>();
    if (!newestLeftOut.isEmpty()) {
      doubts.add(
          "what comes last is no result that counts ("
              + listed(newestLeftOut)
              + "), mend them or take them out");
    }
    for (MetricTrend trend : trends) {
      String name = trend.metric().name();
      HistoryChange suspected = trend.suspected();
      boolean decides = trend.metric().decides() && trend.end() == null;
      if (decides && !trend.judged()) {
        doubts.add(name + " has too few points" + since(trend));
      }
      if (decides && suspected != null) {
        doubts.add(
            "%s shows signs of a change at %s (newest %s, %s), add points"
                .formatted(name, suspected.at(), newest(suspected), size(suspected)));
      }
    }
    String changes = named(Verdict.UNKNOWN);
    if (!changes.isEmpty()) {
      doubts.add(changes + " may or may not matter");
    }
    return doubts.isEmpty() ? "no figure decides" : listed(doubts);
  }

  private static String newest(HistoryChange suspected) {
    return suspected.pointsAfter() == 1 ? "point" : suspected.pointsAfter() + " points";
  }

  private static String listed(List<String> all) {
    String more = all.size() > MOST_NAMED ? " and " + (all.size() - MOST_NAMED) + " more" : "";
    return String.join(", ", all.subList(0, Math.min(MOST_NAMED, all.size()))) + more;
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (MetricTrend trend : trends) {
      trend.changes().forEach(change -> rows.add(row(trend, change, words(trend, change))));
      trend.missing().forEach(missing -> rows.add(row(trend, missing)));
      if (trend.end() != null) {
        continue;
      }
      HistoryChange suspected = trend.suspected();
      if (suspected != null) {
        String signs = "cannot tell: signs in the newest " + newest(suspected) + ", not enough";
        rows.add(row(trend, suspected, signs));
      } else if (!trend.judged() || trend.changes().isEmpty()) {
        String words =
            trend.judged()
                ? "no change"
                : "cannot tell: fewer than "
                    + ChangePoints.FEWEST_VALUES
                    + " points"
                    + since(trend);
        String points = Integer.toString(trend.points().size());
        rows.add(List.of(trend.metric().name(), points, "", "", "", "", "", words));
      }
    }
    return rows;
  }

  private List<String> row(MetricTrend trend, MissingStretch missing) {
    String name = trend.metric().name();
    String known = acknowledged.has(name, missing.at()) ? ", acknowledged" : "";
    String back =
        missing.backAt() == null ? "and none after them has" : "back at " + missing.backAt();
    String decides = trend.metric().decides() ? "" : " (does not decide)";
    String words =
        "%s%s: %s it, %s%s"
            .formatted(
                missing.verdict(),
                known,
                missing.results() == 1 ? "1 result lacks" : missing.results() + " results lack",
                back,
                decides);
    String points = Integer.toString(trend.points().size());
    return List.of(name, points, "", "missing", "", "", missing.at(), words);
  }

  private static String since(MetricTrend trend) {
    return trend.changes().isEmpty() ? "" : " since " + trend.changes().getLast().at();
  }

  private String words(MetricTrend trend, HistoryChange change) {
    String known = acknowledged.has(trend.metric().name(), change.at()) ? ", acknowledged" : "";
    String decides = trend.metric().decides() ? "" : " (does not decide)";
    String since = isOfSeveralSteps(trend, change) ? " with the steps since " + change.since() : "";
    String often = change.nowAndThen() ? NOW_AND_THEN : "";
    return "%s%s%s%s, told at %s%s"
        .formatted(change.verdict(), often, since, known, change.toldAt(), decides);
  }

  /** Whether a level before the last change is the one that it was judged against. */
  private static boolean isOfSeveralSteps(MetricTrend trend, HistoryChange change) {
    List<String> labels = trend.points().stream().map(MetricHistory.Point::label).toList();
    int since = labels.indexOf(change.since());
    return trend.changes().stream()
        .anyMatch(each -> each.position() < change.position() && since < each.position());
  }

  private static List<String> row(MetricTrend trend, HistoryChange change, String words) {
    String unit = trend.metric().unit();
    return List.of(
        trend.metric().name(),
        change.pointsBefore() + " + " + change.pointsAfter(),
        ComparedSides.value(change.before(), unit),
        ComparedSides.value(change.after(), unit),
        size(change),
        interval(change),
        change.at(),
        words);
  }

  private static String size(HistoryChange change) {
    return size(change, change.size());
  }

  private static String interval(HistoryChange change) {
    Double low = change.low();
    Double high = change.high();
    return low == null || high == null
        ? "none: too few points"
        : size(change, low) + " to " + size(change, high);
  }

  private static String size(HistoryChange change, @Nullable Double size) {
    return String.format(Locale.ROOT, change.ratio() ? "x %.3f" : "%+.3g", size);
  }
}
