package org.terrace.report;

import java.util.List;
import org.terrace.analysis.ClassSummary;
import org.terrace.analysis.ClientSeries;
import org.terrace.analysis.ServerDetail;
import org.terrace.analysis.finding.Findings;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The request classes of each server. */
final class ClassSection {
  private static final int SHOWN = 8;

  /** Classes listed at all, of all servers together; each server gets an equal part. */
  private static final int LIMIT = 800;

  private ClassSection() {}

  static void write(Content content, Markup page) {
    page.open("section", "id", "classes").leaf("h2", "What was asked");
    page.leaf(
        "p",
        "Request classes by their share of the time that requests spent at the server. A work unit"
            + " is an average request by its time under low load.",
        "class",
        "lead");
    ClientSeries clients = content.result().clients();
    int limit = Math.max(SHOWN, LIMIT / (1 + content.servers().size()));
    if (clients != null) {
      server("Pages, as the users saw them", clients.classes(), limit, page);
    }
    for (ServerDetail server : content.result().servers()) {
      server(server.server(), server.classes(), limit, page);
    }
    page.close();
  }

  private static void server(String name, List<ClassSummary> classes, int limit, Markup page) {
    page.leaf("h3", name);
    if (classes.isEmpty()) {
      page.leaf("p", "No request was completed.", "class", "muted");
      return;
    }
    table(classes.subList(0, Math.min(SHOWN, classes.size())), page);
    if (classes.size() > SHOWN) {
      int end = Math.min(limit, classes.size());
      page.open("details");
      page.leaf(
          "summary", "The other " + Quantity.count(end - SHOWN) + " of " + name.split(",", 2)[0]);
      table(classes.subList(SHOWN, end), page);
      page.close();
    }
    if (classes.size() > limit) {
      page.leaf(
          "p",
          "✂ " + Quantity.count(classes.size() - limit) + " rarer classes are left out.",
          "class",
          "note");
    }
  }

  private static void table(List<ClassSummary> classes, Markup page) {
    Tables.open(
        page,
        "Share of time",
        "Class",
        "#Answers",
        "#Rate",
        "#Errors",
        "#Mean",
        "#Median",
        "#99 %",
        "#Longest",
        "#Work units");
    for (ClassSummary each : classes) {
      page.open("tr").open("td", "class", "bar");
      page.leaf("meter", "", "min", "0", "max", "1", "value", String.valueOf(each.timeShare()));
      page.text(" " + Quantity.percent(each.timeShare())).close();
      page.open("td").leaf("code", each.requestClass()).close();
      Tables.number(page, Quantity.count(each.completed()));
      Tables.number(page, Quantity.perSecond(each.perSecond()));
      Tables.number(page, Quantity.count(each.errors()));
      Tables.number(page, Quantity.time(each.residenceMicros(), Findings.Latency::mean));
      Tables.number(page, Quantity.time(each.residenceMicros(), Findings.Latency::p50));
      Tables.number(page, Quantity.time(each.residenceMicros(), Findings.Latency::p99));
      Tables.number(page, Quantity.time(each.residenceMicros(), Findings.Latency::max));
      Tables.number(page, Quantity.number(each.workUnits()));
      page.close();
    }
    Tables.close(page);
  }
}
