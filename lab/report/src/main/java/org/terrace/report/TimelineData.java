package org.terrace.report;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.report.page.Glyph;
import org.terrace.report.page.Track;
import tools.jackson.databind.json.JsonMapper;

/**
 * The data from which the page's script draws the time line, as JSON that is safe within a script
 * element: tracks are 16-bit fractions of their lane's height in base64.
 */
final class TimelineData {
  /** Stands for a column without a value. */
  private static final int NOTHING = 0xFFFF;

  private static final int FULL = 0xFFFE;

  private TimelineData() {}

  static String of(Content content, List<Lane> lanes) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("seconds", content.length());
    data.put("window", content.result().findings().window().millis() / 1e3);
    data.put("lanes", lanes.stream().map(TimelineData::lane).toList());
    Map<String, Object> stalls = new LinkedHashMap<>();
    Map<String, Object> events = new LinkedHashMap<>();
    EventTexts texts = new EventTexts();
    for (ServerFindings server : content.servers()) {
      List<double[]> spans = new ArrayList<>();
      for (Stall stall : server.stalls()) {
        spans.add(
            new double[] {
              round(content.seconds(stall.startNanos())), round(content.seconds(stall.endNanos()))
            });
      }
      stalls.put(server.name(), spans);
      events.put(
          server.name(),
          EventList.shown(content, server.name()).stream()
              .map(e ->
                  new double[] {
                    round(content.seconds(e.startNanos())),
                    round(content.seconds(e.endNanos())),
                    texts.place(e)
                  })
              .toList());
    }
    data.put("stalls", stalls);
    data.put("events", events);
    data.put("kinds", texts.all());
    data.put("faults", content.faults().stream().map(e -> fault(content, e)).toList());
    return inScript(new JsonMapper().writeValueAsString(data));
  }

  /** Keeps a script element from ending, or a comment from starting, within JSON strings. */
  static String inScript(String json) {
    return json.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static Map<String, Object> lane(Lane lane) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("title", lane.title());
    data.put("format", lane.format().name());
    data.put("height", lane.height());
    data.put("top", lane.top());
    data.put("floor", lane.floor());
    data.put("spiked", lane.spiked());
    data.put("server", lane.server());
    data.put("mark", lane.mark());
    List<Object> lines = new ArrayList<>();
    for (Lane.Line line : lane.lines()) {
      Track track = line.track();
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("name", line.name());
      each.put("style", line.style());
      each.put("start", track.startSeconds());
      each.put("step", track.stepSeconds());
      each.put("high", encode(track.greatest(), lane.top()));
      each.put("low", track.windows() == 1 ? null : encode(track.least(), lane.top()));
      lines.add(each);
    }
    data.put("lines", lines);
    return data;
  }

  /** A moment to the microsecond, which keeps its JSON short. */
  private static double round(double seconds) {
    return Math.rint(seconds * 1e6) / 1e6;
  }

  private static Map<String, Object> fault(Content content, Event event) {
    Glyph glyph = Glyph.of(event.kind());
    return Map.of(
        "from",
        content.seconds(event.startNanos()),
        "to",
        content.seconds(event.endNanos()),
        "symbol",
        glyph.symbol(),
        "node",
        event.node(),
        "text",
        Content.words(event.kind()) + " " + event.node());
  }

  static String encode(double[] values, double top) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 2).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      int level =
          Double.isNaN(value) ? NOTHING : (int) Math.round(Math.clamp(value / top, 0, 1) * FULL);
      bytes.putShort((short) level);
    }
    return Base64.getEncoder().encodeToString(bytes.array());
  }
}
