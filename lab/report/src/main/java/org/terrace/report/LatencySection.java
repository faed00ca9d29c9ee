package org.terrace.report;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.ClientSeries;
import org.terrace.analysis.Distribution;
import org.terrace.analysis.ServerDetail;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Plot;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;
import org.terrace.report.page.Tables;

/**
 * The section on the distribution of response times: histogram, percentiles, and the time spent at
 * each server.
 */
final class LatencySection {
  private static final int WIDTH = 400;
  private static final int HEIGHT = 290;

  /** Room for the names at the ends of curves. */
  private static final int NAMES = 76;

  private static final int LEAST_GAP = 13;

  /** Percentiles further out than this are not drawn: 99.999. */
  private static final double SMALLEST_REST = 1e-5;

  private static final List<String> STYLES =
      List.of("load", "throughput", "intended", "collection", "resource", "fault");

  private record Curve(String name, String style, Distribution distribution) {}

  private LatencySection() {}

  static void write(Content content, Markup page) {
    page.open("section", "id", "latency").leaf("h2", "Response times");
    page.open("div", "class", "plots");
    ClientSeries clients = content.result().clients();
    if (clients != null && clients.latency().count() > 0) {
      figure(
          page,
          "How long users waited",
          "log scale; bars from the actual send, outline from the intended one",
          histogram(clients.latency(), clients.intendedLatency()));
      figure(
          page,
          "Users: percentiles",
          "the gap between the curves is coordinated omission",
          percentiles(
              List.of(
                  new Curve("from send", "load", clients.latency()),
                  new Curve("from intent", "intended", clients.intendedLatency()))));
    }
    List<Curve> servers = new ArrayList<>();
    for (ServerDetail server : content.result().servers()) {
      if (server.residence().count() > 0) {
        servers.add(
            new Curve(
                server.server(), STYLES.get(servers.size() % STYLES.size()), server.residence()));
      }
    }
    if (!servers.isEmpty()) {
      figure(
          page,
          "Servers: percentiles",
          "time between arrival and departure, what it waits for below included",
          percentiles(servers));
    }
    page.close();
    table(clients, servers, page);
    page.close();
  }

  private static void figure(Markup page, String title, String detail, Markup plot) {
    page.open("figure").open("figcaption").leaf("h3", title);
    page.leaf("span", detail, "class", "muted").close();
    page.add(plot).close();
  }

  private static Markup histogram(Distribution actual, Distribution intended) {
    double low = Math.max(1, Math.min(first(actual), first(intended)));
    double high = Math.max(last(actual), last(intended));
    double most = Math.max(share(actual), share(intended));
    Scale x = Plot.across(low, high, WIDTH, true);
    Scale y = Plot.upwards(0, Scale.roundUp(most), HEIGHT, false);
    Plot plot = new Plot(WIDTH, HEIGHT, x, y, "Histogram of response times of the users");
    plot.horizontal(6, Quantity::micros, "response time");
    plot.vertical(4, Quantity::percent);
    plot.text("share of pages", Plot.LEFT, Plot.TOP - 5, "name");
    plot.path(bars(actual, x, y), "bars");
    plot.path(outline(intended, x, y), "line intended");
    for (double percentile : new double[] {50, 99}) {
      double at = percentile == 50 ? actual.summary().p50() : actual.summary().p99();
      plot.upright(at, "mark");
      boolean right = x.at(at) > WIDTH - NAMES - Plot.RIGHT;
      plot.text(
          (percentile == 50 ? "median " : "99 % ") + Quantity.micros(at),
          x.at(at) + (right ? -4 : 4),
          Plot.TOP + (percentile == 50 ? 10 : 26),
          right ? "label halo end" : "label halo");
    }
    return plot.done();
  }

  private static String bars(Distribution times, Scale x, Scale y) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < times.binCounts().length; i++) {
      double from = x.at(times.binLowMicros()[i]);
      double to = x.at(times.binLowMicros()[i + 1]);
      double top = y.at((double) times.binCounts()[i] / times.count());
      path.append('M').append(Quantity.coordinate(from)).append(' ');
      path.append(Quantity.coordinate(y.start())).append('V').append(Quantity.coordinate(top));
      path.append('H').append(Quantity.coordinate(Math.max(from + 1, to - 1)));
      path.append('V').append(Quantity.coordinate(y.start())).append('z');
    }
    return path.toString();
  }

  private static String outline(Distribution times, Scale x, Scale y) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < times.binCounts().length; i++) {
      path.append(i == 0 ? 'M' : 'H').append(Quantity.coordinate(x.at(times.binLowMicros()[i])));
      path.append(i == 0 ? " " + Quantity.coordinate(y.start()) : "");
      path.append('V')
          .append(Quantity.coordinate(y.at((double) times.binCounts()[i] / times.count())));
    }
    return path.toString();
  }

  /** Curves of time against percentile, with each nine as far from the next as from the last. */
  private static Markup percentiles(List<Curve> curves) {
    double low = Double.MAX_VALUE;
    double high = 1;
    double rest = 1;
    for (Curve curve : curves) {
      low = Math.min(low, Math.max(1, curve.distribution().percentileMicros()[0]));
      high = Math.max(high, curve.distribution().summary().max());
      rest = Math.min(rest, 1.0 / Math.max(10, curve.distribution().count()));
    }
    rest = Math.max(rest, SMALLEST_REST);
    Scale x = Scale.logarithmic(1, 1 / rest, Plot.LEFT, WIDTH - NAMES);
    Scale y = Plot.upwards(low, high, HEIGHT, true);
    Plot plot = new Plot(WIDTH, HEIGHT, x, y, "Percentiles of response times");
    plot.horizontal(6, LatencySection::percentileName, "percentile of requests");
    plot.vertical(5, Quantity::micros);
    double lastName = Double.NEGATIVE_INFINITY;
    List<Curve> fromTop =
        curves.stream()
            .sorted(
                java.util.Comparator.comparingDouble(
                        (Curve curve) -> curve.distribution().summary().max())
                    .reversed())
            .toList();
    for (Curve curve : fromTop) {
      Distribution times = curve.distribution();
      StringBuilder path = new StringBuilder();
      for (int i = 0; i < times.percentiles().length; i++) {
        double left = Math.max(rest, 1 - times.percentiles()[i] / 100);
        path.append(i == 0 ? 'M' : 'L').append(plot.point(1 / left, times.percentileMicros()[i]));
      }
      plot.path(path.toString(), "line " + curve.style());
      double at = Math.max(lastName + LEAST_GAP, y.at(times.summary().max()) + 4);
      lastName = at;
      plot.text(curve.name(), WIDTH - NAMES + 6, at, "label fill-" + curve.style());
    }
    return plot.done();
  }

  private static String percentileName(double inverse) {
    int nines = (int) Math.round(Math.log10(inverse));
    return switch (nines) {
      case 0 -> "0 %";
      case 1 -> "90 %";
      case 2 -> "99 %";
      default -> "99." + "9".repeat(nines - 2) + " %";
    };
  }

  private static double first(Distribution times) {
    return times.count() == 0 ? Double.MAX_VALUE : times.binLowMicros()[0];
  }

  private static double last(Distribution times) {
    return times.count() == 0 ? 1 : times.binLowMicros()[times.binCounts().length];
  }

  private static double share(Distribution times) {
    long most = 0;
    for (long count : times.binCounts()) {
      most = Math.max(most, count);
    }
    return times.count() == 0 ? 0 : (double) most / times.count();
  }

  private static void table(
      @org.jspecify.annotations.Nullable ClientSeries clients, List<Curve> servers, Markup page) {
    page.open("details").leaf("summary", "Table");
    Tables.open(page, "Of", "#Count", "#Mean", "#Median", "#99 %", "#99.9 %", "#Longest");
    if (clients != null) {
      row("users, from the actual send", clients.latency(), page);
      row("users, from the intended send", clients.intendedLatency(), page);
    }
    for (Curve server : servers) {
      row(server.name(), server.distribution(), page);
    }
    Tables.close(page);
    page.close();
  }

  private static void row(String name, Distribution times, Markup page) {
    page.open("tr").leaf("td", name);
    Tables.number(page, Quantity.count(times.count()));
    Tables.number(page, Quantity.micros(times.summary().mean()));
    Tables.number(page, Quantity.micros(times.summary().p50()));
    Tables.number(page, Quantity.micros(times.summary().p99()));
    Tables.number(page, Quantity.micros(times.summary().p999()));
    Tables.number(page, Quantity.micros(times.summary().max()));
    page.close();
  }
}
