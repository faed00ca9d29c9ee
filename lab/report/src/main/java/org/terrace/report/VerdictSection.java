package org.terrace.report;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.UserExperience;
import org.terrace.analysis.study.Validity;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.observation.CaptureFigures;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The head of the page: whether to trust it, what was found, and the key figures. */
final class VerdictSection {
  private VerdictSection() {}

  static void write(Content content, Markup page) {
    Findings findings = content.result().findings();
    List<Validity> failed = findings.validity().stream().filter(v -> !v.passed()).toList();
    page.open("section", "id", "verdict", "aria-labelledby", "verdict-sentence");
    if (!failed.isEmpty()) {
      alarm(failed, page);
    }
    checks(findings.validity(), failed.size(), page);
    conditions(findings.thresholds(), page);
    headline(content, page);
    figures(content, page);
    basis(content, page);
    for (String note : content.facts().notes()) {
      page.open("p", "class", "note");
      page.leaf("b", "Note ").text(note).close();
    }
    page.close();
  }

  /** Writes the users' experience, large, and the servers' part in it, below. */
  private static void headline(Content content, Markup page) {
    UserExperience users = content.result().findings().users();
    String servers = content.result().verdict().sentence();
    sentence(((users == null ? "" : users.sentence()) + " " + servers).strip(), page);
  }

  /** The first sentence large, those that follow below it. */
  static void sentence(String verdict, Markup page) {
    int end = verdict.indexOf(". ");
    page.leaf("h1", end < 0 ? verdict : verdict.substring(0, end + 1), "id", "verdict-sentence");
    if (end >= 0) {
      page.leaf("p", verdict.substring(end + 2), "class", "deck");
    }
  }

  static void alarm(List<Validity> failed, Markup page) {
    page.open("div", "class", "alarm", "role", "alert");
    page.leaf(
        "p",
        "✕ Do not trust these figures yet: "
            + Quantity.count(failed.size(), "validity check")
            + " failed",
        "class",
        "alarm-title");
    page.open("ul");
    for (Validity each : failed) {
      page.open("li").leaf("b", words(each.check())).text(" – " + each.detail()).close();
    }
    page.close().close();
  }

  private static void basis(Content content, Markup page) {
    String part =
        switch (content.result().stretch().basis()) {
          case "phase-run" -> "the run phase";
          case "trimmed" -> "the observation without its edges";
          default -> "the whole observation";
        };
    String window =
        content.result().findings().window().millis()
            + " ms windows ("
            + content.result().findings().window().chosen()
            + ")";
    page.leaf(
        "p",
        "Over "
            + Quantity.number(content.length())
            + " s, "
            + part
            + ", in "
            + window
            + ". Time zero is "
            + content.date()
            + ".",
        "class",
        "basis");
  }

  /** The pages that were answered a second; those asked for where an older file lacks that. */
  private static double answersPerSecond(Findings.Clients clients, Content content) {
    Double answered = clients.answersPerSecond();
    if (answered != null) {
      return answered;
    }
    return content.length() > 0 ? clients.requests() / content.length() : 0;
  }

  private static void figures(Content content, Markup page) {
    Findings findings = content.result().findings();
    page.open("dl", "class", "figures");
    Findings.Clients clients = findings.clients();
    if (clients != null) {
      figure(
          page, "Pages", Quantity.number(answersPerSecond(clients, content)), "answered a second");
      figure(
          page,
          "Median",
          Quantity.time(clients.latencyMicros(), Findings.Latency::p50),
          "response time");
      figure(
          page,
          "99th percentile",
          Quantity.time(clients.latencyMicros(), Findings.Latency::p99),
          "response time");
      double errors = clients.requests() > 0 ? (double) clients.errors() / clients.requests() : 0;
      figure(
          page,
          "Errors",
          Quantity.percent(errors),
          Quantity.count(clients.errors()) + " of " + Quantity.count(clients.requests()));
    } else {
      front(content, page);
    }
    long stalls = content.servers().stream().mapToLong(s -> s.stalls().size()).sum();
    long stalled = content.servers().stream().filter(s -> !s.stalls().isEmpty()).count();
    figure(page, "Stalls", Quantity.count(stalls), "on " + Quantity.count(stalled, "server"));
    CaptureFigures capture = findings.capture();
    if (capture != null) {
      figure(
          page,
          "Packets lost",
          Quantity.count(capture.droppedPackets()),
          "of " + Quantity.count(capture.packets()));
    }
    page.close();
  }

  /** The figures of the tier that the users call, where nobody watched from their side. */
  private static void front(Content content, Markup page) {
    ServerFindings front =
        content.servers().stream()
            .filter(each -> each.tier().equals(content.servers().getFirst().tier()))
            .max(Comparator.comparingLong(ServerFindings::requests))
            .orElse(null);
    if (front == null) {
      return;
    }
    String of = "of " + front.name();
    figure(page, "Requests", Quantity.number(front.requestsPerSecond()), "a second, " + of);
    figure(page, "Median", Quantity.time(front.residenceMicros(), Findings.Latency::p50), of);
    figure(
        page, "99th percentile", Quantity.time(front.residenceMicros(), Findings.Latency::p99), of);
    figure(page, "Servers", Quantity.count(content.servers().size()), "observed");
  }

  static void figure(Markup page, String name, String value, String detail) {
    page.open("div").leaf("dt", name).leaf("dd", value);
    page.leaf("dd", detail, "class", "detail").close();
  }

  static void checks(List<Validity> validity, int failed, Markup page) {
    if (validity.isEmpty()) {
      return;
    }
    page.open("details", "class", "checks");
    page.leaf(
        "summary",
        failed == 0
            ? "✓ Valid measurement: all " + Quantity.count(validity.size(), "check") + " passed"
            : "✕ " + failed + " of " + Quantity.count(validity.size(), "check") + " failed",
        "class",
        failed == 0 ? "good" : "bad");
    Tables.open(page, "Check", "Result", "Judged by");
    for (Validity each : validity) {
      page.open("tr").leaf("td", words(each.check()));
      page.leaf(
          "td", each.passed() ? "✓ passed" : "✕ failed", "class", each.passed() ? "good" : "bad");
      page.leaf("td", each.detail()).close();
    }
    Tables.close(page);
    page.close();
  }

  /** The conditions under which the result has failed, those that hold in the open. */
  private static void conditions(List<Threshold.Judgement> judgements, Markup page) {
    if (judgements.isEmpty()) {
      return;
    }
    String held =
        judgements.stream()
            .filter(Threshold.Judgement::failed)
            .map(each -> each.condition() + " (" + each.detail() + ")")
            .collect(Collectors.joining(", "));
    page.open("details", "class", "checks");
    page.leaf(
        "summary",
        held.isEmpty()
            ? "✓ Passed: of "
                + Quantity.count(judgements.size(), "condition")
                + " under which it fails, none holds"
            : "✕ Failed: " + held,
        "class",
        held.isEmpty() ? "good" : "bad");
    Tables.open(page, "Fails if", "Result", "Measured");
    for (Threshold.Judgement each : judgements) {
      page.open("tr").leaf("td", each.condition());
      page.leaf(
          "td", each.failed() ? "✕ failed" : "✓ passed", "class", each.failed() ? "bad" : "good");
      page.leaf("td", each.detail()).close();
    }
    Tables.close(page);
    page.close();
  }

  private static String words(String check) {
    String words = check.replace('-', ' ');
    return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
