package org.terrace.report;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.ServerDetail;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.ConnectionGroup;
import org.terrace.observation.Server;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/**
 * The sections on the capture's completeness, on connections, and on how to reproduce the trial.
 */
final class FactSection {
  /** The end of a name whose value is a number of bytes. */
  private static final String BYTES = "Bytes";

  /** Rows of the table of connections, so that the page does not grow with the servers. */
  private static final int CONNECTIONS_LISTED = 200;

  private FactSection() {}

  static void write(Content content, Markup page) {
    observed(content, page);
    connections(content.facts().connections(), page);
    reproduce(content, page);
  }

  private static void observed(Content content, Markup page) {
    page.open("section", "id", "observed").leaf("h2", "What was observed");
    CaptureFigures capture = content.result().findings().capture();
    if (capture != null) {
      page.leaf(
          "p",
          Quantity.count(capture.packets(), "packet")
              + " with "
              + Quantity.bytes((double) capture.bytes())
              + " were read; "
              + Quantity.count(capture.droppedPackets())
              + " were lost, "
              + Quantity.count(capture.gaps(), "gap")
              + " in streams were acknowledged but never seen, and "
              + Quantity.count(capture.midStreamConnections(), "connection")
              + " were already open when the capture began.",
          "class",
          "lead");
    }
    page.leaf("p", counted(content), "class", "lead");
    Tables.open(
        page,
        "Server",
        "Tier",
        "Address",
        "#Requests",
        "#Answered",
        "#Errors",
        "#Cut off",
        "#Unfinished",
        "#Rate",
        "#Mean",
        "#Median",
        "#99 %",
        "#99.9 %",
        "#Longest");
    for (int i = 0; i < content.servers().size(); i++) {
      row(content, content.servers().get(i), content.result().servers().get(i), page);
    }
    Tables.close(page);
    if (capture != null) {
      PointTable.write(capture.points(), page);
    }
    page.close();
  }

  private static void connections(List<ConnectionGroup> groups, Markup page) {
    if (groups.isEmpty()) {
      return;
    }
    page.open("section", "id", "connections").leaf("h2", "Who spoke with whom");
    page.leaf(
        "p",
        "Callers that are no server of their own address are counted as clients.",
        "class",
        "lead");
    Tables.open(
        page,
        "From",
        "To",
        "Protocol",
        "What told so",
        "#Connections",
        "#Reset",
        "#Requests",
        "#Bytes in",
        "#Bytes out");
    for (ConnectionGroup each : groups.subList(0, Math.min(CONNECTIONS_LISTED, groups.size()))) {
      page.open("tr").leaf("td", each.caller()).leaf("td", each.server());
      page.leaf("td", each.protocol()).leaf("td", each.evidence());
      Tables.number(page, Quantity.count(each.connections()));
      Tables.number(page, Quantity.count(each.reset()));
      Tables.number(page, Quantity.count(each.requests()));
      Tables.number(page, Quantity.bytes((double) each.bytesIn()));
      Tables.number(page, Quantity.bytes((double) each.bytesOut()));
      page.close();
    }
    Tables.close(page);
    if (groups.size() > CONNECTIONS_LISTED) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(groups.size() - CONNECTIONS_LISTED)
              + " with fewer requests are left"
              + " out; connections.parquet lists every connection.",
          "class",
          "note");
    }
    page.close();
  }

  /** The requests that a row counts, and the number of those besides. */
  private static String counted(Content content) {
    AnalysisResult result = content.result();
    long seen = content.servers().stream().mapToLong(ServerFindings::requests).sum();
    long counted = result.servers().stream().mapToLong(FactSection::ended).sum();
    return "A row counts what ended in the stretch that was analysed, "
        + Quantity.number(result.stretch().seconds())
        + " s"
        + (seen > counted
            ? "; " + Quantity.count(seen - counted, "request") + " came before or after. "
            : ". ")
        + "Errors are answers that report one, and requests that were cut off without a whole"
        + " answer.";
  }

  private static long ended(ServerDetail detail) {
    return detail.completed() + detail.aborted() + detail.unfinished();
  }

  private static void row(
      Content content, ServerFindings server, ServerDetail detail, Markup page) {
    List<String> addresses =
        content.facts().servers().stream()
            .filter(each -> each.name().equals(server.name()))
            .map(Server::addresses)
            .findFirst()
            .orElse(List.of());
    page.open("tr").leaf("td", server.name()).leaf("td", server.tier());
    page.leaf("td", String.join(" ", addresses));
    Tables.number(page, Quantity.count(ended(detail)));
    Tables.number(page, Quantity.count(detail.completed()));
    Tables.number(page, Quantity.count(detail.errors() + detail.aborted()));
    Tables.number(page, Quantity.count(detail.aborted()));
    Tables.number(page, Quantity.count(detail.unfinished()));
    Tables.number(page, Quantity.perSecond(server.requestsPerSecond()));
    Findings.Latency residence = server.residenceMicros();
    Tables.number(page, Quantity.time(residence, Findings.Latency::mean));
    Tables.number(page, Quantity.time(residence, Findings.Latency::p50));
    Tables.number(page, Quantity.time(residence, Findings.Latency::p99));
    Tables.number(page, Quantity.time(residence, Findings.Latency::p999));
    Tables.number(page, Quantity.time(residence, Findings.Latency::max));
    page.close();
  }

  /** A fact in words: {@code memoryBytes 25276502016} as {@code memory 25.3 GB}. */
  private static void fact(TrialFacts.Fact fact, Markup page) {
    boolean bytes = fact.name().endsWith(BYTES) && fact.value().matches("\\d{1,18}");
    page.leaf(
        "dt",
        bytes ? fact.name().substring(0, fact.name().length() - BYTES.length()) : fact.name());
    page.leaf("dd", bytes ? Quantity.bytes((double) Long.parseLong(fact.value())) : fact.value());
  }

  private static void reproduce(Content content, Markup page) {
    TrialFacts facts = content.facts();
    page.open("section", "id", "reproduce").leaf("h2", "How to reproduce it");
    String command = facts.command();
    if (command != null) {
      page.open("pre", "class", "command", "tabindex", "0").leaf("code", command).close();
    }
    page.open("div", "class", "columns");
    String specification = facts.specification();
    if (specification != null) {
      page.open("div").leaf("h3", "Specification");
      page.open("pre", "tabindex", "0").leaf("code", specification).close().close();
    }
    page.open("div").leaf("h3", "Machine and versions").open("dl", "class", "facts");
    Long seed = facts.seed();
    if (seed != null) {
      page.leaf("dt", "seed").leaf("dd", seed.toString());
    }
    Set<String> written = new HashSet<>();
    Stream.concat(facts.machine().stream(), facts.versions().stream())
        .filter(fact -> written.add(fact.name()))
        .forEach(fact -> fact(fact, page));
    page.close().close().close();
    page.leaf(
        "p",
        "The tables behind this page lie beside it: requests.parquet, connections.parquet,"
            + " samples.parquet, events.parquet and findings.json. DuckDB, pandas and ClickHouse read them as they"
            + " are.",
        "class",
        "muted");
    page.close();
  }
}
