package org.terrace.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.terrace.analysis.ClientSeries;
import org.terrace.analysis.ServerSeries;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.core.Percentiles;
import org.terrace.observation.Sample;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;
import org.terrace.report.page.Track;

/**
 * Makes the lanes of the time line from what was computed, each with a bounded number of columns.
 */
final class Lanes {
  /** Values of all tracks together, which bounds the size of the page: 2 bytes each in base64. */
  static final int VALUES = 500_000;

  /** More columns than this no screen can show, even zoomed in tenfold. */
  private static final int MOST_COLUMNS = 20_000;

  private static final String CPU = "cpu-utilisation";
  private static final int CLIENT_HEIGHT = 96;
  private static final int LOAD_HEIGHT = 84;
  private static final int THROUGHPUT_HEIGHT = 64;
  private static final int CPU_HEIGHT = 36;

  private final Content content;
  private final int columns;

  Lanes(Content content) {
    this.content = content;
    int tracks = 4 + 4 * content.result().series().size();
    this.columns = Math.min(MOST_COLUMNS, VALUES / tracks / 2);
  }

  /**
   * The number of windows that are drawn as one column in the longest series: 1 when none are
   * merged.
   */
  int merged() {
    int most = 1;
    for (ServerSeries series : content.result().series()) {
      most = Math.max(most, Math.ceilDiv(series.load().length, columns));
    }
    return most;
  }

  /** The lanes of the clients; empty when nobody watched from their side. */
  List<Lane> ofClients() {
    ClientSeries clients = content.result().clients();
    if (clients == null) {
      return List.of();
    }
    double start = content.seconds(clients.startNanos());
    double step = clients.intervalNanos() / 1e9;
    Track good = Track.of(start, step, clients.requestsPerSecond(), columns);
    Track bad = Track.of(start, step, clients.errorsPerSecond(), columns);
    Track p50 = Track.of(start, step, clients.p50Micros(), columns);
    Track p99 = Track.of(start, step, clients.p99Micros(), columns);
    return List.of(
        Lane.scalable(
            "response time",
            Lane.Format.MICROS,
            CLIENT_HEIGHT,
            "",
            List.of(new Lane.Line("median", "load", p50), new Lane.Line("99 %", "intended", p99)),
            null),
        Lane.linear(
            "pages a second",
            Lane.Format.RATE,
            CLIENT_HEIGHT,
            Scale.roundUp(Math.max(good.maximum(), bad.maximum())),
            "",
            bad.maximum() > 0
                ? List.of(
                    new Lane.Line("good", "throughput", good),
                    new Lane.Line("errors", "fault", bad))
                : List.of(new Lane.Line("", "throughput", good))));
  }

  /** The lanes of one server, by its place in the findings. */
  List<Lane> ofServer(int index) {
    ServerSeries series = content.result().series().get(index);
    double start = content.seconds(series.startNanos());
    double step = series.windowNanos() / 1e9;
    Track load = Track.of(start, step, series.load(), columns);
    Track throughput = Track.of(start, step, series.throughput(), columns);
    List<Lane> lanes = new ArrayList<>();
    lanes.add(
        Lane.scalable(
            "load: requests at the server",
            Lane.Format.NUMBER,
            LOAD_HEIGHT,
            series.server(),
            List.of(new Lane.Line("", "load", load)),
            mark(content.servers().get(index).congestionPoint(), load.maximum())));
    lanes.add(
        Lane.linear(
            "throughput: answers a second",
            Lane.Format.RATE,
            THROUGHPUT_HEIGHT,
            Scale.roundUp(throughput.maximum()),
            series.server(),
            List.of(new Lane.Line("", "throughput", throughput))));
    List<Sample> cpu =
        content.facts().samples().stream()
            .filter(s -> s.node().equals(series.server()) && s.resource().equals(CPU))
            .toList();
    if (cpu.size() > 1) {
      lanes.add(
          Lane.linear(
              "CPU in use",
              Lane.Format.PART,
              CPU_HEIGHT,
              1,
              series.server(),
              List.of(new Lane.Line("", "resource", track(cpu)))));
    }
    return lanes;
  }

  private static Lane.@org.jspecify.annotations.Nullable Mark mark(
      CongestionPoint point, double most) {
    Double load = point.load();
    Double low = point.low();
    Double high = point.high();
    if (load == null || load > most) {
      return null;
    }
    return new Lane.Mark(
        load,
        low == null ? load : low,
        high == null ? load : Math.min(high, most),
        "N* " + Quantity.number(load));
  }

  /** Readings as a track: each stands for the time since the one before. */
  Track track(List<Sample> samples) {
    double[] times = samples.stream().mapToDouble(s -> content.seconds(s.timeNanos())).toArray();
    double[] gaps = new double[times.length - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = times[i + 1] - times[i];
    }
    Arrays.sort(gaps);
    double step = Math.max(Percentiles.ofSorted(gaps, 50), 1e-3);
    double start = times[0] - step;
    int length = (int) Math.min(VALUES, Math.ceil((times[times.length - 1] - start) / step));
    double[] values = new double[Math.max(1, length)];
    Arrays.fill(values, Double.NaN);
    for (int i = 0; i < times.length; i++) {
      int at = (int) Math.round((times[i] - start) / step) - 1;
      if (at >= 0 && at < values.length) {
        values[at] = samples.get(i).value();
      }
    }
    return Track.of(start, step, values, columns);
  }
}
