package org.terrace.report;

import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.StallPackets;
import org.terrace.analysis.finding.StallPackets.HeldRequest;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;
import org.terrace.report.transaction.CallTable;
import org.terrace.report.transaction.PacketLine;
import org.terrace.report.transaction.Waterfall;

/** The requests that were held in an episode, and the way to its packets. */
final class HeldTable {
  private HeldTable() {}

  static void write(Content content, StallEpisode episode, Markup page) {
    StallPackets packets = episode.packets();
    if (packets == null) {
      return;
    }
    PacketLine.write(packets.firstFrame(), packets.lastFrame(), packets.displayFilter(), page);
    if (packets.longest().isEmpty()) {
      return;
    }
    page.leaf(
        "h3",
        Quantity.count(packets.requestsHeld(), "request")
            + (packets.requestsHeld() == 1 ? " was" : " were")
            + " at "
            + episode.server()
            + " meanwhile; longest of all",
        "class",
        "minor");
    Tables.open(page, "#Arrival", "#Length", "Class", "From", "How it ended", "#Packets");
    for (HeldRequest held : packets.longest()) {
      page.open("tr");
      Tables.number(page, Quantity.moment(content.seconds(held.arrivalNanos())));
      Tables.number(page, Quantity.micros(held.micros()));
      page.open("td", "class", "call");
      CallTable.named(held.requestClass(), page);
      page.close();
      page.leaf("td", ServiceMapSection.name(held.client()));
      page.leaf("td", held.outcome().equals("ok") ? "answered" : Waterfall.outcome(held.outcome()));
      Tables.number(page, PacketLine.range(held.firstFrame(), held.lastFrame()));
      page.close();
    }
    Tables.close(page);
  }
}
