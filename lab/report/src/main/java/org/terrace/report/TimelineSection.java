package org.terrace.report;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.Findings.ServerFindings;
import org.terrace.analysis.Findings.Stall;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.observation.Event;

/** The time line: clients and servers over one axis, with stalls, events and faults on it. */
final class TimelineSection {
  private final Content content;
  private final LaneDrawing drawing;
  private final List<Lane> lanes = new ArrayList<>();

  TimelineSection(Content content) {
    this.content = content;
    this.drawing = new LaneDrawing(content);
  }

  /** Writes the section and returns its lanes in the order of their numbers on the page. */
  List<Lane> write(Markup page) {
    Lanes source = new Lanes(content);
    page.open("section", "id", "time").leaf("h2", "Over time");
    legend(page);
    if (source.merged() > 1) {
      page.leaf(
          "p",
          "✂ The series is long: each column drawn is the least and the greatest of "
              + source.merged()
              + " windows.",
          "class",
          "note");
    }
    page.open(
        "div",
        "id",
        "timeline",
        "tabindex",
        "0",
        "role",
        "group",
        "aria-label",
        "Time line of all servers. Left and right arrows move the cursor, with Shift by ten windows;"
            + " N and P go to the next and previous stall; plus and minus zoom; Escape shows all.");
    axis(page);
    List<Lane> clients = source.ofClients();
    if (!clients.isEmpty()) {
      head(page, "Users", "by the second, as seen from their side", "");
      clients.forEach(lane -> lane(lane, List.of(), page));
      TimelineTables.clients(content, page);
      page.close();
    }
    for (int i = 0; i < content.servers().size(); i++) {
      server(i, source, page);
    }
    page.close();
    page.leaf("p", "", "id", "spoken", "class", "hidden", "aria-live", "polite");
    page.close();
    return lanes;
  }

  private void server(int index, Lanes source, Markup page) {
    ServerFindings server = content.servers().get(index);
    head(page, server.name(), tier(server), congestion(server.congestionPoint()));
    List<Event> events = EventList.shown(content, server.name());
    boolean struck = content.faults().stream().anyMatch(f -> f.node().equals(server.name()));
    if (struck || !events.isEmpty()) {
      page.open("div", "class", "lane events", "data-events", server.name());
      page.add(drawing.events(events)).close();
    }
    int leftOut = EventList.leftOut(content, server.name());
    if (leftOut > 0) {
      page.leaf(
          "p", "✂ " + Quantity.count(leftOut, "shorter event") + " not drawn", "class", "note");
    }
    for (Lane lane : source.ofServer(index)) {
      lane(lane, server.stalls(), page);
    }
    TimelineTables.server(content, index, page);
    page.close();
  }

  private void lane(Lane lane, List<Stall> stalls, Markup page) {
    page.open("figure", "class", "lane", "data-lane", String.valueOf(lanes.size()));
    page.open("figcaption").text(lane.title());
    if (lane.lines().size() > 1) {
      for (Lane.Line line : lane.lines()) {
        page.leaf("span", "▬ " + line.name(), "class", "key " + line.style());
      }
    }
    page.close();
    page.add(drawing.lane(lane, stalls)).close();
    lanes.add(lane);
  }

  /** Opens the block of a server or of the clients. */
  private static void head(Markup page, String name, String detail, String congestion) {
    page.open("div", "class", "server").open("header").leaf("h3", name);
    page.leaf("span", detail, "class", "muted");
    page.leaf("span", congestion, "class", "congestion").close();
  }

  private static String tier(ServerFindings server) {
    long nanos = server.stalls().stream().mapToLong(s -> s.endNanos() - s.startNanos()).sum();
    String stalls =
        server.stalls().isEmpty()
            ? "no stall"
            : Quantity.count(server.stalls().size(), "stall")
                + ", "
                + Quantity.nanos((double) nanos)
                + " in all";
    return server.tier() + " tier · " + stalls;
  }

  static String congestion(CongestionPoint point) {
    Double load = point.load();
    if (load == null) {
      return "N* at least " + Quantity.number(point.maximumLoadSeen()) + " or unknown";
    }
    Double low = point.low();
    Double high = point.high();
    String interval =
        low == null || high == null
            ? ""
            : " (" + Quantity.number(low) + " to " + Quantity.number(high) + ")";
    Double share = point.congestedShare();
    return "N* "
        + Quantity.number(load)
        + interval
        + (share == null ? "" : " · congested " + Quantity.percent(share) + " of the time");
  }

  private void axis(Markup page) {
    page.open("div", "class", "axis").open("div", "class", "tools", "hidden", "");
    tool(page, "previous", "◀ stall", "Previous stall (P)");
    tool(page, "next", "stall ▶", "Next stall (N)");
    tool(page, "out", "−", "Zoom out (-)");
    tool(page, "in", "+", "Zoom in (+)");
    tool(page, "all", "All", "Show all (Escape)");
    page.leaf("output", "", "id", "where").close();
    page.add(drawing.axis()).close();
    List<Event> faults = content.faults();
    if (!faults.isEmpty()) {
      page.open("ul", "class", "faults");
      for (Event fault : faults) {
        page.leaf(
            "li",
            Glyph.of(fault.kind()).symbol()
                + " "
                + Content.words(fault.kind())
                + " "
                + fault.node()
                + " at "
                + Quantity.moment(content.seconds(fault.startNanos())));
      }
      page.close();
    }
  }

  private static void tool(Markup page, String action, String label, String title) {
    page.leaf(
        "button", label, "type", "button", "data-do", action, "title", title, "aria-label", title);
  }

  private static void legend(Markup page) {
    page.open("p", "class", "legend");
    page.leaf("span", "▇ stall", "class", "stall-key");
    for (String kind :
        List.of("gc-pause", "safepoint", "cpu-throttled", "fault-kill", "fault-pause")) {
      Glyph glyph = Glyph.of(kind);
      page.leaf("span", glyph.symbol() + " " + Content.words(kind), "class", glyph.style());
    }
    page.leaf("span", "╌ congestion point N*", "class", "mark-key");
    page.close();
  }
}
