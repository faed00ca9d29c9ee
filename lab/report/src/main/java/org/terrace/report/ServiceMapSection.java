package org.terrace.report;

import java.util.List;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Server;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The map of who calls whom, with the same figures as a table. */
final class ServiceMapSection {
  /** Calls in the table that are shown at once; the rest unfold. */
  private static final int SHOWN = 8;

  private static final int LIMIT = 200;

  /** Calls of one server by one caller. */
  record Edge(String caller, String server, Caller calls, boolean awaited) {}

  private ServiceMapSection() {}

  static void write(Content content, Markup page) {
    List<Edge> edges =
        content.servers().stream()
            .flatMap(server ->
                server.callers().stream()
                    .map(calls ->
                        new Edge(
                            calls.caller(),
                            server.name(),
                            calls,
                            awaited(content, calls.caller(), server.name()))))
            .toList();
    if (edges.isEmpty()) {
      return;
    }
    page.open("section", "id", "map").leaf("h2", "Who calls whom");
    page.leaf(
        "p",
        "Answered calls a second over the analysed stretch, and the median and 99th percentile of"
            + " their time. A server that stalled, and a call whose caller stood waiting for it, are"
            + " marked.",
        "class",
        "lead");
    new ServiceMap(content, edges).draw(page);
    Tables.unfolding(page, edges, SHOWN, LIMIT, "call", some -> table(some, page));
    page.close();
  }

  /** Whether stalls of the caller were waits for the server. */
  private static boolean awaited(Content content, String caller, String server) {
    return content.servers().stream()
        .filter(each -> each.name().equals(caller))
        .map(ServerFindings::stalls)
        .flatMap(List::stream)
        .anyMatch(stall -> server.equals(stall.waitedFor()));
  }

  /** A caller as the page calls it. */
  static String name(String caller) {
    return caller.equals(Server.CLIENTS) ? "users" : caller;
  }

  private static void table(List<Edge> edges, Markup page) {
    Tables.open(
        page,
        "Caller",
        "Server",
        "#Calls",
        "#Rate",
        "#Errors",
        "#Mean",
        "#Median",
        "#99 %",
        "#Longest");
    for (Edge edge : edges) {
      Caller calls = edge.calls();
      page.open("tr").leaf("td", name(edge.caller()));
      page.open("td").text(edge.server());
      if (edge.awaited()) {
        page.text(" ").leaf("span", "waited for", "class", "awaited");
      }
      page.close();
      Tables.number(page, Quantity.count(calls.calls()));
      Tables.number(page, Quantity.perSecond(calls.callsPerSecond()));
      Tables.number(page, Quantity.count(calls.errors()));
      Tables.number(page, Quantity.time(calls.residenceMicros(), Findings.Latency::mean));
      Tables.number(page, Quantity.time(calls.residenceMicros(), Findings.Latency::p50));
      Tables.number(page, Quantity.time(calls.residenceMicros(), Findings.Latency::p99));
      Tables.number(page, Quantity.time(calls.residenceMicros(), Findings.Latency::max));
      page.close();
    }
    Tables.close(page);
  }
}
