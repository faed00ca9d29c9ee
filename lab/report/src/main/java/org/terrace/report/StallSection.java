package org.terrace.report;

import java.util.List;
import org.terrace.analysis.finding.Findings.Cause;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.PooledEvents;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.StallPackets;
import org.terrace.analysis.finding.Verdict.CauseSummary;
import org.terrace.details.DelayRanking;
import org.terrace.report.page.Glyph;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;
import org.terrace.report.transaction.PacketLine;

/** The stalls, gathered into episodes: who stood still, why, and who waited for it. */
final class StallSection {
  /** Episodes shown at once; the rest unfold. */
  private static final int SHOWN = 6;

  /** Episodes listed at all. */
  private static final int LIMIT = 100;

  /** Episodes with a drawing of the requests in flight. */
  private static final int STRIPS = 24;

  /** Stalls listed at all within one episode. */
  private static final int STALLS = 100;

  /** Kinds of events named in an episode, likely and possible ones each. */
  private static final int CAUSES = 3;

  private StallSection() {}

  static void write(Content content, Markup page) {
    List<StallEpisode> episodes = content.result().findings().stallEpisodes();
    page.open("section", "id", "stalls").leaf("h2", "Who stood still, and why");
    if (episodes.isEmpty()) {
      boolean watched = content.servers().stream().anyMatch(server -> server.requests() > 0);
      page.leaf(
          "p",
          watched
              ? "Nobody: whenever requests waited at a server, it went on answering some."
              : "The servers' requests were not observed: nothing can be said of stalls.",
          "class",
          "lead");
    } else {
      long stalls = content.servers().stream().mapToLong(each -> each.stalls().size()).sum();
      page.leaf(
          "p",
          Quantity.count(stalls, "stall")
              + " in "
              + Quantity.count(episodes.size(), "episode")
              + ", the longest in all first. In a stall requests waited at a server and few or none"
              + " were answered; stalls within a second of another are one episode.",
          "class",
          "lead");
      list(content, episodes.subList(0, Math.min(SHOWN, episodes.size())), SHOWN, page);
      more(content, episodes, page);
      reading(page);
    }
    shortest(content, page);
    page.close();
  }

  private static void more(Content content, List<StallEpisode> episodes, Markup page) {
    if (episodes.size() > SHOWN) {
      int end = Math.min(LIMIT, episodes.size());
      page.open("details").leaf("summary", "Shorter: " + Quantity.count(end - SHOWN, "episode"));
      list(content, episodes.subList(SHOWN, end), STRIPS - SHOWN, page);
      page.close();
    }
    if (episodes.size() > LIMIT) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(episodes.size() - LIMIT, "shorter episode")
              + " left out; findings.json lists all.",
          "class",
          "note");
    }
  }

  private static void list(Content content, List<StallEpisode> episodes, int strips, Markup page) {
    page.open("ol", "class", "stall-episodes");
    int place = 0;
    for (StallEpisode episode : episodes) {
      episode(content, episode, place++ < strips, page);
    }
    page.close();
  }

  private static void episode(Content content, StallEpisode episode, boolean strip, Markup page) {
    double from = content.seconds(episode.startNanos());
    double to = content.seconds(episode.endNanos());
    page.open("li").open("div", "class", "episode-head");
    page.leaf("b", episode.server());
    page.leaf(
        "a",
        span(from, to),
        "class",
        "jump",
        "href",
        ViewLink.of(content, from, to, episode.server()),
        "title",
        "Show on the time line");
    page.close();
    List<Stall> stalls = stalls(content, episode);
    page.leaf("p", deed(episode, stalls), "class", "deed");
    causes(episode, page);
    for (StallEpisode.Waiter waiter : episode.waiters()) {
      page.leaf(
          "p",
          waiter.server()
              + " waited for it"
              + (waiter.waits() == 1 ? "" : " " + times(waiter.waits()))
              + ", "
              + Quantity.nanos((double) waiter.waitedNanos())
              + (waiter.waits() == 1 ? "" : " in all"),
          "class",
          "waiter");
    }
    if (strip) {
      LoadStrip.write(content, episode, stalls, page);
    }
    page.open("details");
    page.leaf(
        "summary",
        episode.stalls().size() == 1
            ? "The stall in figures, its packets and the requests that it held"
            : "The "
                + Quantity.count(episode.stalls().size(), "stall")
                + " one by one, their packets and the requests that they held");
    table(content, episode, stalls, page);
    HeldTable.write(content, episode, page);
    page.close().close();
  }

  /** The stalls that an episode refers to by their places. */
  private static List<Stall> stalls(Content content, StallEpisode episode) {
    ServerFindings server =
        content.servers().stream()
            .filter(each -> each.name().equals(episode.server()))
            .findFirst()
            .orElseThrow();
    return episode.stalls().stream().map(server.stalls()::get).toList();
  }

  /** {@code +18.3 s to +22.0 s}, or the one moment where both are the same when rounded. */
  private static String span(double from, double to) {
    String first = String.format(java.util.Locale.ROOT, "+%,.1f s", from);
    String last = String.format(java.util.Locale.ROOT, "+%,.1f s", to);
    return first.equals(last) ? first : first + " to " + last;
  }

  /** The behaviour of the server: how often, how long, and with how many requests in hand. */
  private static String deed(StallEpisode episode, List<Stall> listed) {
    int stalls = listed.size();
    int silent = episode.hostSilentStalls();
    boolean told = listed.stream().anyMatch(stall -> stall.behaviour() != null);
    String waitedFor = episode.waitedFor();
    String did = waitedFor != null ? "waited for " + waitedFor : told ? "stood still" : "stalled";
    return did
        + (stalls == 1 ? " for " : " " + times(stalls) + ", ")
        + Quantity.nanos((double) episode.stalledNanos())
        + (stalls == 1 ? "" : " in all")
        + ", with up to "
        + Quantity.count(Math.round(episode.peakLoad()), "request")
        + " in hand"
        + (silent == 0 ? "" : "; " + times(silent) + " its host or network was silent")
        + ".";
  }

  private static String times(long count) {
    return count == 1 ? "once" : count == 2 ? "twice" : Quantity.count(count) + " times";
  }

  private static void causes(StallEpisode episode, Markup page) {
    page.open("p", "class", "why");
    named("Likely", episode.likely(), episode, page);
    named("Possible", episode.possible(), episode, page);
    if (episode.likely().isEmpty() && episode.possible().isEmpty()) {
      page.leaf("span", "No recorded event overlaps it.", "class", "muted");
    }
    page.close();
  }

  private static void named(
      String word, List<CauseSummary> causes, StallEpisode episode, Markup page) {
    for (CauseSummary cause : causes.subList(0, Math.min(CAUSES, causes.size()))) {
      Glyph glyph = Glyph.of(cause.kind());
      page.open("span", "class", "cause " + word.toLowerCase(java.util.Locale.ROOT));
      page.text(word + ": ").leaf("span", glyph.symbol(), "class", glyph.style());
      page.text(" " + Content.words(cause.kind()) + " on " + cause.node());
      if (episode.stalls().size() > 1) {
        page.text(" in " + cause.stalls() + " of " + episode.stalls().size());
      }
      page.close().text(" ");
    }
  }

  /** The words of this section explained, for whoever unfolds it. */
  private static void reading(Markup page) {
    page.open("details").leaf("summary", "How to read this");
    page.leaf(
        "p",
        "A server stood still when it had something in hand and neither answered nor called; its"
            + " host or network was silent when not even an acknowledgement came; it waited when its"
            + " calls of another server were unanswered. An event that overlaps a stall is evidence"
            + " of its cause, not proof. A kill counts for one second more, while its load goes to"
            + " others, and an event that has no length for 100 ms. p is the probability of so much overlap if the two were"
            + " unrelated, adjusted for all that were tried: likely is p of at most "
            + Cause.SIGNIFICANT
            + ", possible is any other overlap.",
        "class",
        "muted");
    page.close();
  }

  /** The limits of what was looked for, and what is known of shorter stalls. */
  private static void shortest(Content content, Markup page) {
    if (content.servers().isEmpty()) {
      return;
    }
    delays(content, page);
    page.open("details").leaf("summary", "The shortest stalls that could be seen");
    page.open("ul", "class", "muted");
    for (ServerFindings server : content.servers()) {
      Double shortest = server.shortestStallMillis();
      page.leaf(
          "li",
          server.name()
              + (shortest == null
                  ? ": too few messages to tell any stall from chance"
                  : ": the shortest stall that its rate of messages shows is "
                      + Quantity.nanos(shortest * 1e6)));
      Double lost = server.lostMillis();
      if (lost != null && lost > 0) {
        page.leaf(
            "li",
            server.name()
                + ": in "
                + Quantity.nanos(lost * 1e6)
                + " the capture lost packets; they count neither as stalled nor as idle");
      }
      for (PooledEvents pooled : server.pooled()) {
        if (pooled.significant()) {
          page.leaf("li", server.name() + ": " + words(pooled));
        }
      }
    }
    page.close().close();
  }

  /** The causes of delay of each server, and the part that none explains. */
  private static void delays(Content content, Markup page) {
    if (content.servers().stream().allMatch(server -> server.delays() == null)) {
      return;
    }
    page.open("details", "open", "open");
    page.leaf("summary", "How much of the delay would be gone without each cause");
    page.open("ul", "class", "muted");
    for (ServerFindings server : content.servers()) {
      if (server.delays() != null) {
        page.leaf("li", DelayRanking.sentence(server));
      }
    }
    page.close().close();
  }

  private static String words(PooledEvents pooled) {
    return "in "
        + Quantity.count(pooled.events())
        + " shorter events of the kind "
        + Content.words(pooled.kind())
        + ", of "
        + Quantity.nanos(pooled.meanMillis() * 1e6)
        + " each, it gave "
        + Quantity.count(pooled.seen())
        + " messages where "
        + Quantity.number(pooled.expected())
        + " are usual, p "
        + Quantity.probability(pooled.p());
  }

  private static void table(
      Content content, StallEpisode episode, List<Stall> stalls, Markup page) {
    Tables.open(
        page,
        "#Start",
        "#Length",
        "#Peak load",
        "What it did",
        "Overlapped by",
        "#Unexplained",
        "#Packets");
    for (int place = 0; place < Math.min(STALLS, stalls.size()); place++) {
      Stall stall = stalls.get(place);
      double from = content.seconds(stall.startNanos());
      double to = content.seconds(stall.endNanos());
      page.open("tr").open("td", "class", "n");
      page.leaf(
          "a",
          Quantity.moment(from),
          "class",
          "jump",
          "href",
          ViewLink.of(content, from, to, episode.server()));
      page.close();
      Tables.number(page, Quantity.nanos((double) stall.endNanos() - stall.startNanos()));
      Tables.number(page, Quantity.number(stall.peakLoad()));
      page.leaf("td", behaviour(stall));
      Tables.causes(stall.causes(), page);
      Tables.number(page, Quantity.percent(stall.unexplainedShare()));
      Tables.number(page, packets(episode, place));
      page.close();
    }
    Tables.close(page);
    if (stalls.size() > STALLS) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(stalls.size() - STALLS, "later stall")
              + " left out; findings.json lists all.",
          "class",
          "note");
    }
  }

  private static String packets(StallEpisode episode, int place) {
    StallPackets known = episode.packets();
    if (known == null || place >= known.stalls().size()) {
      return "–";
    }
    StallPackets.FrameRange range = known.stalls().get(place);
    return PacketLine.range(range.first(), range.last());
  }

  private static String behaviour(Stall stall) {
    return switch (stall.behaviour()) {
      case null -> "cannot be told";
      case STOOD_STILL -> "stood still";
      case HOST_SILENT -> "host or network silent";
      case WAITED -> "waited for " + stall.waitedFor();
    };
  }
}
