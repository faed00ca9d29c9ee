package org.terrace.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.observation.Sample;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Scale;

/** The readings of each node's resources, as a grid of small charts. */
final class ResourceSection {
  private static final int WIDTH = 150;
  private static final int HEIGHT = 34;
  private static final int COLUMNS = 150;

  /** Nodes, and resources of each, that are shown at most. */
  private static final int LIMIT = 40;

  private ResourceSection() {}

  static void write(Content content, Markup page) {
    Map<String, Map<String, List<Sample>>> byNode = new LinkedHashMap<>();
    content.facts().servers().forEach(server -> byNode.put(server.name(), new LinkedHashMap<>()));
    for (Sample sample : content.facts().samples()) {
      byNode
          .computeIfAbsent(sample.node(), node -> new LinkedHashMap<>())
          .computeIfAbsent(sample.resource(), resource -> new java.util.ArrayList<>())
          .add(sample);
    }
    byNode.values().removeIf(Map::isEmpty);
    if (byNode.isEmpty()) {
      return;
    }
    page.open("section", "id", "resources").leaf("h2", "Resources");
    page.leaf(
        "p",
        "Readings over the same stretch of time; below each chart its mean and its highest"
            + " reading. Each chart has a scale of its own.",
        "class",
        "lead");
    byNode.entrySet().stream()
        .limit(LIMIT)
        .forEach(node -> write(content, node.getKey(), node.getValue(), page));
    long nodesLeft = byNode.size() - (long) LIMIT;
    if (nodesLeft > 0) {
      page.leaf("p", nodesLeft + " more have readings in samples.parquet.", "class", "muted");
    }
    page.close();
  }

  private static void write(
      Content content, String node, Map<String, List<Sample>> resources, Markup page) {
    page.open("div", "class", "node").leaf("h3", node).open("div", "class", "sparks");
    resources.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, ?> each) -> isOthers(each.getKey()))
                .thenComparing(Map.Entry::getKey))
        .limit(LIMIT)
        .forEach(each -> chart(content, each.getKey(), each.getValue(), page));
    page.close();
    int left = resources.size() - LIMIT;
    if (left > 0) {
      page.leaf(
          "p",
          left + " more resources are not drawn; samples.parquet has the readings of all.",
          "class",
          "muted");
    }
    page.close();
  }

  /** Whether a resource is a metric of somebody else's, whose name is to be found again. */
  private static boolean isOthers(String resource) {
    return resource.indexOf('_') >= 0 || resource.indexOf('{') >= 0;
  }

  private static void chart(Content content, String resource, List<Sample> samples, Markup page) {
    List<Sample> within =
        samples.stream()
            .filter(s -> content.seconds(s.timeNanos()) >= 0)
            .filter(s -> content.seconds(s.timeNanos()) <= content.length() + 1)
            .toList();
    if (within.size() < 2) {
      return;
    }
    double most = within.stream().mapToDouble(Sample::value).max().orElse(0);
    double mean = within.stream().mapToDouble(Sample::value).average().orElse(0);
    page.open("figure").leaf("figcaption", title(resource));
    page.add(spark(content, within, resource.endsWith("utilisation") ? 1 : most));
    page.leaf("span", show(resource, mean), "class", "mean");
    page.leaf("span", "max " + show(resource, most), "class", "muted");
    page.close();
  }

  private static Markup spark(Content content, List<Sample> samples, double top) {
    Scale x = Scale.linear(0, content.length(), 1, WIDTH - 1);
    Scale y = Scale.linear(0, top > 0 ? top : 1, HEIGHT - 2, 2);
    int together = Math.max(1, Math.ceilDiv(samples.size(), COLUMNS));
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < samples.size(); i += together) {
      double most = 0;
      for (int j = i; j < Math.min(samples.size(), i + together); j++) {
        most = Math.max(most, samples.get(j).value());
      }
      path.append(i == 0 ? 'M' : 'L');
      path.append(Quantity.coordinate(x.at(content.seconds(samples.get(i).timeNanos()))));
      path.append(' ').append(Quantity.coordinate(y.at(most)));
    }
    return new Markup()
        .open(
            "svg",
            "viewBox",
            "0 0 " + WIDTH + " " + HEIGHT,
            "class",
            "spark",
            "aria-hidden",
            "true")
        .empty("path", "d", "M1 " + (HEIGHT - 2) + "H" + (WIDTH - 1), "class", "grid")
        .empty("path", "d", path.toString(), "class", "line resource")
        .close();
  }

  private static String title(String resource) {
    if (isOthers(resource)) {
      return resource;
    }
    String words =
        resource
            .replace("-bytes-per-second", "")
            .replace("-per-second", "")
            .replace("-bytes", "")
            .replace("-utilisation", "")
            .replace('-', ' ');
    String plain = words.startsWith("cpu") ? "CPU" + words.substring(3) : words;
    return Character.toUpperCase(plain.charAt(0)) + plain.substring(1);
  }

  private static String show(String resource, double value) {
    if (resource.endsWith("utilisation")
        || resource.endsWith("share")
        || resource.endsWith("-steal")
        || resource.endsWith("-iowait")
        || resource.endsWith("-pressure")
        || resource.startsWith("pool-")) {
      return Quantity.percent(value);
    } else if (resource.endsWith("bytes-per-second")) {
      return Quantity.bytes(value) + "/s";
    } else if (resource.endsWith("bytes")) {
      return Quantity.bytes(value);
    } else if (resource.endsWith("per-second")) {
      return Quantity.perSecond(value);
    }
    return Quantity.number(value);
  }
}
