package org.terrace.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.report.page.Glyph;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;

/** The time line: clients and servers over one axis, with stalls, events and faults on it. */
final class TimelineSection {
  /** Kinds of events named at most; more would hide the page behind its legend. */
  private static final int KINDS_NAMED = 16;

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
    List<Lane> clients = source.ofClients();
    List<List<Lane>> servers = new ArrayList<>();
    for (int i = 0; i < content.servers().size(); i++) {
      servers.add(source.ofServer(i));
    }
    page.open("section", "id", "time").leaf("h2", "Over time");
    boolean marked = servers.stream().flatMap(List::stream).anyMatch(lane -> lane.mark() != null);
    legend(content, marked, page);
    choice(page);
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
    if (!clients.isEmpty()) {
      head(page, "", "Users", "by the second, as seen from their side", "");
      clients.forEach(lane -> lane(lane, List.of(), page));
      TimelineTables.clients(content, page);
      page.close();
    }
    for (int i = 0; i < content.servers().size(); i++) {
      server(i, servers.get(i), page);
    }
    page.close();
    page.leaf("p", "", "id", "spoken", "class", "hidden", "aria-live", "polite");
    page.close();
    return lanes;
  }

  /** The servers to choose from; hidden until the script is there to hide them. */
  private void choice(Markup page) {
    if (content.servers().size() < 2) {
      return;
    }
    page.open("fieldset", "class", "choice", "hidden", "").leaf("legend", "Servers shown");
    for (ServerFindings server : content.servers()) {
      page.open("label");
      page.empty("input", "type", "checkbox", "checked", "", "data-shows", server.name());
      page.text(" " + server.name()).close();
    }
    page.close();
  }

  private void server(int index, List<Lane> drawn, Markup page) {
    ServerFindings server = content.servers().get(index);
    head(page, server.name(), server.name(), tier(server), congestion(server.congestionPoint()));
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
    for (Lane lane : drawn) {
      lane(lane, server.stalls(), page);
    }
    TimelineTables.server(content, index, page);
    page.close();
  }

  private void lane(Lane lane, List<Stall> stalls, Markup page) {
    page.open("figure", "class", "lane", "data-lane", String.valueOf(lanes.size()));
    page.open("figcaption").text(lane.title());
    if (lane.floor() > 0) {
      page.leaf("span", lane.spiked() ? ", log scale" : "", "class", "scale");
    }
    if (lane.lines().size() > 1) {
      for (Lane.Line line : lane.lines()) {
        page.leaf("span", "▬ " + line.name(), "class", "key " + line.style());
      }
    }
    page.close();
    page.add(drawing.lane(lane, stalls)).close();
    lanes.add(lane);
  }

  /** Opens the block of a server, or of the clients where no server is given. */
  private void head(Markup page, String server, String name, String detail, String congestion) {
    page.open("div", "class", "server", "data-server", server).open("header").leaf("h3", name);
    page.leaf("span", detail, "class", "muted");
    page.leaf("span", congestion, "class", "congestion");
    if (!server.isEmpty() && content.servers().size() > 1) {
      page.leaf(
          "button",
          "only this",
          "type",
          "button",
          "class",
          "only",
          "hidden",
          "",
          "data-only",
          server,
          "aria-pressed",
          "false",
          "aria-label",
          "Show only " + server);
    }
    page.close();
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
      return point.maximumLoadSeen() > 0
          ? "limit not known · highest load " + Quantity.number(point.maximumLoadSeen())
          : "no load seen";
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
    scaleChoice(page);
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

  private static void scaleChoice(Markup page) {
    page.open("label", "class", "scale-choice").text("Scale ");
    page.open("select", "id", "scale", "title", "Scale of response times and loads");
    for (String name : List.of("fitting", "linear", "log")) {
      page.leaf("option", name, "value", name);
    }
    page.close().close();
  }

  /** The legend: what occurs on this page, and nothing else. */
  private static void legend(Content content, boolean marked, Markup page) {
    Set<String> kinds = new TreeSet<>();
    content
        .servers()
        .forEach(server ->
            EventList.shown(content, server.name()).forEach(event -> kinds.add(event.kind())));
    content.faults().forEach(fault -> kinds.add(fault.kind()));
    boolean stalled = content.servers().stream().anyMatch(each -> !each.stalls().isEmpty());
    if (kinds.isEmpty() && !stalled && !marked) {
      return;
    }
    page.open("p", "class", "legend");
    if (stalled) {
      page.open("span").leaf("i", "", "class", "stall-key").text(" stall").close();
    }
    kinds.stream()
        .limit(KINDS_NAMED)
        .forEach(kind -> {
          Glyph glyph = Glyph.of(kind);
          page.leaf("span", glyph.symbol() + " " + Content.words(kind), "class", glyph.style());
        });
    if (kinds.size() > KINDS_NAMED) {
      page.leaf("span", Quantity.count(kinds.size() - KINDS_NAMED, "other kind") + " of events");
    }
    if (marked) {
      page.leaf("span", "╌ congestion point N*", "class", "mark-key");
    }
    page.close();
  }
}
