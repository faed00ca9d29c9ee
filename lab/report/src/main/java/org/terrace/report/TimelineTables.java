package org.terrace.report;

import java.util.List;
import org.terrace.analysis.ClientSeries;
import org.terrace.analysis.ServerSeries;
import org.terrace.observation.Event;
import org.terrace.report.page.Glyph;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The tables behind the time line. */
final class TimelineTables {
  /** Rows of a table; longer series are summed up into this many. */
  private static final int ROWS = 120;

  /** Events listed in a table. */
  private static final int EVENTS = 100;

  private TimelineTables() {}

  static void clients(Content content, Markup page) {
    ClientSeries clients = content.result().clients();
    if (clients == null) {
      return;
    }
    int length = clients.requestsPerSecond().length;
    int together = Math.max(1, Math.ceilDiv(length, ROWS));
    double step = clients.intervalNanos() / 1e9;
    page.open("details").leaf("summary", "Table");
    Tables.open(
        page, "#From", "#Pages", "#Errors", "#Highest median", "#Highest 99 %", "#In flight");
    for (int i = 0; i < length; i += together) {
      int end = Math.min(length, i + together);
      page.open("tr");
      Tables.number(page, Quantity.number(content.seconds(clients.startNanos()) + i * step) + " s");
      Tables.number(page, Quantity.perSecond(mean(clients.requestsPerSecond(), i, end)));
      Tables.number(page, Quantity.perSecond(mean(clients.errorsPerSecond(), i, end)));
      Tables.number(page, Quantity.micros(greatest(clients.p50Micros(), i, end)));
      Tables.number(page, Quantity.micros(greatest(clients.p99Micros(), i, end)));
      Tables.number(page, Quantity.number(mean(clients.inFlight(), i, end)));
      page.close();
    }
    Tables.close(page);
    page.close();
  }

  static void server(Content content, int index, Markup page) {
    ServerSeries series = content.result().series().get(index);
    int length = series.load().length;
    int second = (int) Math.max(1, 1_000_000_000L / series.windowNanos());
    int together = Math.max(second, Math.ceilDiv(length, ROWS));
    double step = series.windowNanos() / 1e9;
    page.open("details").leaf("summary", "Tables");
    Tables.open(
        page, "#From", "#Mean load", "#Greatest load", "#Mean throughput", "#Least throughput");
    for (int i = 0; i < length; i += together) {
      int end = Math.min(length, i + together);
      page.open("tr");
      Tables.number(page, Quantity.number(content.seconds(series.startNanos()) + i * step) + " s");
      Tables.number(page, Quantity.number(mean(series.load(), i, end)));
      Tables.number(page, Quantity.number(greatest(series.load(), i, end)));
      Tables.number(page, Quantity.perSecond(mean(series.throughput(), i, end)));
      Tables.number(page, Quantity.perSecond(least(series.throughput(), i, end)));
      page.close();
    }
    Tables.close(page);
    events(content, EventList.shown(content, series.server()), page);
    page.close();
  }

  private static void events(Content content, List<Event> events, Markup page) {
    if (events.isEmpty()) {
      return;
    }
    Tables.open(page, "Event", "#Start", "#Length", "Details");
    for (Event event : events.subList(0, Math.min(EVENTS, events.size()))) {
      page.open("tr");
      page.leaf("td", Glyph.of(event.kind()).symbol() + " " + Content.words(event.kind()));
      Tables.number(page, Quantity.moment(content.seconds(event.startNanos())));
      Tables.number(page, Quantity.nanos((double) (event.endNanos() - event.startNanos())));
      page.leaf(
          "td",
          String.join(
              ", ",
              event.attributes().entrySet().stream()
                  .map(entry -> entry.getKey() + " " + entry.getValue())
                  .sorted()
                  .toList()));
      page.close();
    }
    Tables.close(page);
    int hidden = events.size() - EVENTS;
    if (hidden > 0) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(hidden)
              + " later events are left out of the table; events.parquet has all.",
          "class",
          "note");
    }
  }

  private static double mean(double[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum / (to - from);
  }

  private static double greatest(double[] values, int from, int to) {
    double greatest = Double.NaN;
    for (int i = from; i < to; i++) {
      greatest = Double.isNaN(values[i]) || values[i] <= greatest ? greatest : values[i];
    }
    return greatest;
  }

  private static double least(double[] values, int from, int to) {
    double least = Double.NaN;
    for (int i = from; i < to; i++) {
      least = Double.isNaN(values[i]) || values[i] >= least ? least : values[i];
    }
    return least;
  }
}
