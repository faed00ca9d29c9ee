package org.terrace.evidence;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Sample;

/** A reader of the directory that {@code terrace watch} left. Stateless. */
final class WatchDirectory {
  private static final long SECOND = 1_000_000_000L;

  /** The places of a sum: the second it is of, the readings in it, and their total. */
  private static final int OF_SECOND = 0;

  private static final int COUNT = 1;
  private static final int TOTAL = 2;
  private static final int SUMS = 3;

  private WatchDirectory() {}

  /**
   * Reads the events and samples of a host.
   *
   * @param node the name that stands for the host instead of the one it was watched under; null for
   *     that one
   */
  static Evidence read(Path directory, @Nullable String node) {
    Path eventFile = directory.resolve(ObservationFiles.EVENTS);
    Path sampleFile = directory.resolve(ObservationFiles.SAMPLES);
    if (!Files.exists(eventFile)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--events "
              + directory
              + ": the directory has no "
              + ObservationFiles.EVENTS
              + "; expected what terrace watch --out leaves, or a file");
    }
    List<Event> read = ObservationFiles.readEvents(eventFile, null);
    String host = hostOf(read);
    List<Event> events = read.stream().map(event -> renamed(event, host, node)).toList();
    List<Sample> samples =
        Files.exists(sampleFile)
            ? bySecond(ObservationFiles.readSamples(sampleFile)).stream()
                .map(sample -> renamed(sample, host, node))
                .toList()
            : List.of();
    List<String> notes =
        read.stream()
            .filter(event -> event.kind().equals(EventKinds.NOT_VISIBLE))
            .map(event ->
                "--events "
                    + directory
                    + ": the host does not show "
                    + event.attributes().getOrDefault(EventKinds.WHAT, "something")
                    + " ("
                    + event.attributes().getOrDefault(EventKinds.WHY, "no reason was kept")
                    + "), so that was no candidate")
            .toList();
    String summary =
        String.format(
            Locale.ROOT, "a watched host, %,d events, %,d readings", events.size(), samples.size());
    return new Evidence(events, samples, summary, notes);
  }

  /** Means of whole seconds: a page draws no more, and the events tell what was shorter. */
  private static List<Sample> bySecond(List<Sample> samples) {
    Map<String, double[]> sums = new HashMap<>();
    List<Sample> means = new ArrayList<>();
    for (Sample sample : samples) {
      String name = sample.node() + '\0' + sample.resource();
      double[] sum = sums.computeIfAbsent(name, of -> new double[SUMS]);
      long second = Math.floorDiv(sample.timeNanos(), SECOND);
      if (sum[COUNT] > 0 && second != (long) sum[OF_SECOND]) {
        means.add(mean(sample, sum));
        sum[COUNT] = 0;
        sum[TOTAL] = 0;
      }
      sum[OF_SECOND] = second;
      sum[COUNT]++;
      sum[TOTAL] += sample.value();
    }
    return means;
  }

  private static Sample mean(Sample of, double[] sum) {
    long end = ((long) sum[OF_SECOND] + 1) * SECOND;
    return new Sample(of.node(), of.resource(), end, sum[TOTAL] / sum[COUNT]);
  }

  private static Event renamed(Event event, String host, @Nullable String node) {
    return node == null || !event.node().equals(host)
        ? event
        : new Event(node, event.kind(), event.startNanos(), event.endNanos(), event.attributes());
  }

  private static Sample renamed(Sample sample, String host, @Nullable String node) {
    return node == null || !sample.node().equals(host)
        ? sample
        : new Sample(node, sample.resource(), sample.timeNanos(), sample.value());
  }

  /** The node that was watched as a whole; groups of its processes may have names of their own. */
  private static String hostOf(List<Event> events) {
    return events.stream()
        .filter(event -> event.kind().equals(EventKinds.WATCHED))
        .map(Event::node)
        .findFirst()
        .orElse("");
  }
}
