package org.terrace.dashboard.pages;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.UserExperience;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Validity;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ResultSummary;
import org.terrace.observation.CaptureFigures;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;

/** The page of one result: what came of it in short, its report, its stalls' packets. Stateless. */
public final class ResultPage {
  /** The stalls that are listed at most, the longest first. */
  public static final int MOST_STALLS = 50;

  private static final long NANOS_A_SECOND = 1_000_000_000L;
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private ResultPage() {}

  /**
   * The contents of the page.
   *
   * @param summary the result in short
   * @param findings what was found
   * @param files the files that may be taken away
   * @param captures the files of packets that are there, one of each capture point
   * @param hasTrials whether there are trials to plan with, as those of a study of scaling out
   */
  public record Contents(
      ResultSummary summary,
      Findings findings,
      List<String> files,
      int captures,
      boolean hasTrials) {
    /** Copies the files. */
    public Contents {
      files = List.copyOf(files);
    }

    private boolean captured() {
      return captures > 0;
    }
  }

  /** The page. */
  public static String page(Contents contents) {
    ResultPlace place = contents.summary().place();
    return PageFrame.page(
        place.name(),
        page -> {
          page.open("section", "id", "verdict").open("p", "class", "state-line");
          IndexPage.state(contents.summary(), page);
          page.leaf(
              "span",
              contents.summary().kind().word()
                  + ", "
                  + IndexPage.date(contents.summary().epochMillis())
                  + " UTC",
              "class",
              "muted");
          page.close();
          headline(contents, page);
          actions(contents, page);
          figures(contents, page);
          failures(contents.findings(), page);
          page.close();
          claims(contents.findings(), page);
          stalls(contents, page);
          files(contents, page);
        });
  }

  private static void headline(Contents contents, Markup page) {
    UserExperience users = contents.findings().users();
    String sentence = users == null ? "" : users.sentence();
    int end = sentence.indexOf(". ");
    page.leaf(
        "h1",
        sentence.isEmpty()
            ? contents.summary().place().name()
            : end < 0 ? sentence : sentence.substring(0, end + 1));
    String servers =
        contents.findings().servers().stream()
            .map(ServerFindings::sentence)
            .filter(each -> each != null && !each.isEmpty())
            .collect(Collectors.joining(" "));
    String rest = ((end < 0 ? "" : sentence.substring(end + 2)) + " " + servers).strip();
    if (!rest.isEmpty()) {
      page.leaf("p", rest, "class", "deck");
    }
  }

  private static void actions(Contents contents, Markup page) {
    ResultPlace place = contents.summary().place();
    page.open("p", "class", "actions");
    page.leaf("a", "Open the report", "href", "/report" + place.path(), "class", "button first");
    if (contents.hasTrials()) {
      page.leaf(
          "a",
          "Plan with its trials",
          "href",
          "/result" + place.path() + "?view=plan",
          "class",
          "button");
    }
    page.leaf(
        "a",
        "Compare with another",
        "href",
        "/compare?before=" + ResultPlace.escaped(place.path()),
        "class",
        "button");
    page.close();
  }

  private static void figures(Contents contents, Markup page) {
    Findings findings = contents.findings();
    PageFrame.figures(
        page,
        row -> {
          for (ResultSummary.KeyFigure figure : contents.summary().figures()) {
            PageFrame.figure(row, title(figure.name()), figure.value(), detail(figure.name()));
          }
          CaptureFigures capture = findings.capture();
          if (capture != null) {
            PageFrame.figure(
                row,
                "Packets lost",
                Quantity.count(capture.droppedPackets()),
                "of " + Quantity.count(capture.packets()));
          }
        });
  }

  private static String title(String name) {
    return switch (name) {
      case "p50" -> "Median";
      case "p99" -> "99th percentile";
      default -> Character.toUpperCase(name.charAt(0)) + name.substring(1);
    };
  }

  private static String detail(String name) {
    return switch (name) {
      case "p50", "p99" -> "response time";
      case "errors" -> "of the users' pages";
      case "stalls" -> "on all servers";
      case "requests" -> "at the first server";
      default -> "";
    };
  }

  private static void failures(Findings findings, Markup page) {
    List<Validity> checks = findings.validity().stream().filter(each -> !each.passed()).toList();
    List<Threshold.Judgement> limits =
        findings.thresholds().stream().filter(Threshold.Judgement::failed).toList();
    if (checks.isEmpty() && limits.isEmpty()) {
      return;
    }
    page.open("div", "class", "alarm");
    page.leaf("p", "✕ Something failed its check", "class", "alarm-title").open("ul");
    for (Validity check : checks) {
      page.open("li").leaf("b", check.check()).text(" – " + check.detail()).close();
    }
    for (Threshold.Judgement limit : limits) {
      page.open("li").leaf("b", limit.condition()).text(" – " + limit.detail()).close();
    }
    page.close().close();
  }

  private static void claims(Findings findings, Markup page) {
    if (findings.claims().isEmpty()) {
      return;
    }
    page.open("section", "id", "claims").leaf("h2", "Claims");
    page.open("div", "class", "table", "tabindex", "0").open("table", "class", "ledger");
    page.open("thead").open("tr");
    for (String heading : List.of("Claim", "Verdict", "Published", "Measured")) {
      page.leaf("th", heading, "scope", "col");
    }
    page.close().close().open("tbody");
    for (Claim claim : findings.claims()) {
      page.open("tr").leaf("td", claim.claim());
      page.leaf("td", claim.verdict().toString(), "class", "verdict " + claim.verdict());
      page.leaf("td", claim.published(), "data-name", "Published");
      page.leaf("td", claim.measured(), "data-name", "Measured").close();
    }
    page.close().close().close().close();
  }

  private record Placed(ServerFindings server, int number, Stall stall) {
    long nanos() {
      return stall.endNanos() - stall.startNanos();
    }
  }

  private static void stalls(Contents contents, Markup page) {
    List<Placed> all =
        contents.findings().servers().stream()
            .flatMap(server ->
                IntStream.range(0, server.stalls().size())
                    .mapToObj(i -> new Placed(server, i, server.stalls().get(i))))
            .sorted(Comparator.comparingLong(Placed::nanos).reversed())
            .toList();
    if (all.isEmpty()) {
      return;
    }
    page.open("section", "id", "stalls").leaf("h2", "Stalls, down to their packets");
    page.leaf(
        "p",
        contents.captured()
            ? "The longest first. The packets of a stall are those of its server from 0.1 s before it"
                + " to 0.1 s after it, as a small capture for Wireshark; the filter finds them in the"
                + (contents.captures() == 1
                    ? " whole one."
                    : " capture of the first point. They are those that one capture saw, of several"
                        + " the one that saw most, with times on the clock of the report.")
            : "The longest first. The packets are not in this directory, so there are none to take.",
        "class",
        "lead");
    page.open("div", "class", "table", "tabindex", "0").open("table").open("thead").open("tr");
    for (String heading :
        List.of("Server", "From (UTC)", "Lasted", "In hand", "Overlapped by", "Packets")) {
      page.leaf("th", heading, "scope", "col");
    }
    page.close().close().open("tbody");
    all.subList(0, Math.min(MOST_STALLS, all.size())).forEach(each -> stall(contents, each, page));
    page.close().close().close();
    if (all.size() > MOST_STALLS) {
      page.leaf(
          "p",
          "✂ " + Quantity.count(all.size() - MOST_STALLS, "shorter stall") + " left out.",
          "class",
          "note");
    }
    page.close();
  }

  private static void stall(Contents contents, Placed placed, Markup page) {
    Stall stall = placed.stall();
    page.open("tr").leaf("td", placed.server().name());
    page.leaf("td", moment(stall.startNanos()));
    page.leaf("td", Quantity.nanos((double) placed.nanos()));
    page.leaf("td", Quantity.number(Math.rint(stall.peakLoad())));
    String causes =
        stall.causes().stream()
            .limit(2)
            .map(cause -> cause.kind().replace('-', ' ') + " on " + cause.node())
            .collect(Collectors.joining(", "));
    String waited = stall.waitedFor();
    page.leaf("td", waited != null ? "waited for " + waited : causes.isEmpty() ? "–" : causes);
    page.open("td");
    if (contents.captured()) {
      String address =
          "/packets"
              + contents.summary().place().path()
              + "?server="
              + ResultPlace.escaped(placed.server().name())
              + "&stall="
              + placed.number();
      page.leaf(
          "a",
          "Take them",
          "href",
          address,
          "aria-label",
          "Take the packets of the stall of "
              + placed.server().name()
              + " at "
              + moment(stall.startNanos()));
      page.open("details").leaf("summary", "Filter");
      page.leaf("code", filter(stall)).close();
    } else {
      page.text("–");
    }
    page.close().close();
  }

  /** The display filter of Wireshark for the time of a stall, with a tenth of a second around. */
  static String filter(Stall stall) {
    return String.format(
        Locale.ROOT,
        "frame.time_epoch >= %s && frame.time_epoch <= %s",
        seconds(stall.startNanos() - 100_000_000L),
        seconds(stall.endNanos() + 100_000_000L));
  }

  private static String seconds(long nanos) {
    return BigDecimal.valueOf(nanos, 9).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String moment(long epochNanos) {
    return MOMENT.format(
        Instant.ofEpochSecond(epochNanos / NANOS_A_SECOND, epochNanos % NANOS_A_SECOND));
  }

  private static void files(Contents contents, Markup page) {
    page.open("section", "id", "files").leaf("h2", "Files");
    page.leaf(
        "p",
        contents.files().isEmpty() ? "None can be taken away." : "To take away, as they are.",
        "class",
        "lead");
    page.open("p", "class", "actions");
    for (String name : contents.files()) {
      page.leaf(
          "a",
          name,
          "href",
          "/files" + contents.summary().place().path() + "?name=" + ResultPlace.escaped(name),
          "class",
          "button");
    }
    page.close().close();
  }
}
