package org.terrace.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The table of congestion episodes with what overlaps them. */
final class EpisodeSection {
  /** Episodes shown at once; the rest unfold. */
  private static final int SHOWN = 10;

  /** Episodes listed at all. */
  private static final int LIMIT = 200;

  private record Row(String server, CongestionEpisode episode) {
    double millis() {
      return episode.lengthMillis();
    }
  }

  private EpisodeSection() {}

  static void write(Content content, Markup page) {
    List<Row> rows = new ArrayList<>();
    for (ServerFindings server : content.servers()) {
      server.episodes().forEach(episode -> rows.add(new Row(server.name(), episode)));
    }
    rows.sort(Comparator.comparingDouble(Row::millis).reversed());
    page.open("section", "id", "episodes").leaf("h2", "When servers were congested");
    if (rows.isEmpty()) {
      page.leaf(
          "p",
          "None: no server's load went beyond a known N*, and none answered less than usual"
              + " at its load.",
          "class",
          "lead");
      page.close();
      return;
    }
    page.leaf(
        "p",
        "Stretches in which a server's load was beyond its N*, or in which it answered less than is"
            + " usual at that load, the longest first. The work done is a part of what is usual at"
            + " that load: near 100 % the server did what it can and was asked for more; far below,"
            + " it was slowed down. A server is held up by one that it calls where what is more than"
            + " usual at it is mostly in those calls.",
        "class",
        "lead");
    Tables.unfolding(page, rows, SHOWN, LIMIT, "episode", some -> table(content, some, page));
    page.close();
  }

  private static void table(Content content, List<Row> rows, Markup page) {
    Tables.open(
        page,
        "Server",
        "#Start",
        "#Length",
        "In which way",
        "#Peak load",
        "#Work done",
        "Overlapped by");
    for (Row row : rows) {
      CongestionEpisode episode = row.episode();
      page.open("tr").leaf("td", row.server());
      double from = content.seconds(episode.startNanos());
      double to = content.seconds(episode.endNanos());
      page.open("td", "class", "n");
      page.leaf(
          "a",
          Quantity.moment(from),
          "class",
          "jump",
          "href",
          ViewLink.of(content, from, to, row.server()));
      page.close();
      Tables.number(page, Quantity.nanos(row.millis() * 1e6));
      page.leaf("td", words(episode));
      Tables.number(page, Quantity.number(episode.peakLoad()));
      Tables.number(page, Quantity.percent(episode.ofUsual()));
      Tables.causes(episode.causes(), page);
      page.close();
    }
    Tables.close(page);
  }

  private static String words(CongestionEpisode episode) {
    String way =
        switch (episode.kind()) {
          case BEYOND -> "load beyond N*";
          case SLOW -> "slower than usual at that load";
        };
    return episode.waitedFor() == null ? way : way + ", held up by " + episode.waitedFor();
  }
}
