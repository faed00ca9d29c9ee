package org.terrace.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.evidence.PrometheusAnswer.Reading;
import org.terrace.evidence.PrometheusAnswer.Series;
import org.terrace.observation.Sample;
import tools.jackson.core.JacksonException;

/**
 * The readings in an answer of Prometheus to a range query ({@code /api/v1/query_range}). A
 * reading's node is what a label names, its resource the metric with those labels that tell the
 * series of one node apart. Confined to one thread.
 */
final class PrometheusRange {
  /** The label by which Prometheus names what it asked. */
  static final String INSTANCE = "instance";

  private static final String NAME = "__name__";
  private static final String MATRIX = "matrix";
  private static final int SHOWN_CHARS = 200;
  private static final Pattern FIELD = Pattern.compile("\"(?:status|resultType)\"\\s*:");
  private static final Pattern ENDING = Pattern.compile("\\.json(?:\\.gz)?$");
  private static final Pattern COUNTER = Pattern.compile(".*_(?:total|bucket)");
  private static final Pattern SUMMARY = Pattern.compile(".*_(?:count|sum)");

  private final Path file;
  private final @Nullable String node;
  private final String serverLabel;

  /** The number of each set of labels among those that are shown alike. */
  private final Map<String, Map<Map<String, String>, Integer>> numbers = new HashMap<>();

  /**
   * A reader of a file.
   *
   * @param node the node of all readings; null where a label tells it
   * @param serverLabel the name of that label
   */
  PrometheusRange(Path file, @Nullable String node, String serverLabel) {
    this.file = file;
    this.node = node;
    this.serverLabel = serverLabel;
  }

  /** Whether a text that begins with these lines is an answer of Prometheus. */
  static boolean recognises(List<String> lines) {
    return lines.stream()
            .filter(line -> !line.isBlank())
            .findFirst()
            .orElse("")
            .strip()
            .startsWith("{")
        && lines.stream().anyMatch(line -> FIELD.matcher(line).find());
  }

  Evidence read() throws IOException {
    return read(PrometheusAnswer.MOST_READINGS, PrometheusAnswer.MOST_LABEL_CHARS);
  }

  Evidence read(int mostReadings, int mostLabelChars) throws IOException {
    PrometheusAnswer answer;
    try (InputStream bytes = TextLines.unpacked(file)) {
      answer = PrometheusAnswer.read(bytes, mostReadings, mostLabelChars);
    } catch (JacksonException e) {
      throw wrong("it is no JSON or ends too early: " + shown(e.getOriginalMessage()), e);
    } catch (IOException e) {
      throw wrong("it is no answer of Prometheus: " + shown(String.valueOf(e.getMessage())), e);
    }
    check(answer);
    List<Series> all = answer.series();
    Map<String, Set<String>> telling = tellingLabels(all);
    List<Sample> samples = new ArrayList<>();
    for (Series series : all) {
      String of = nodeOf(series);
      String resource = resource(series, telling);
      for (Reading reading : series.readings()) {
        samples.add(new Sample(of, resource, reading.timeNanos(), reading.value()));
      }
    }
    return new Evidence(List.of(), samples, summary(all, samples), notes(answer));
  }

  private void check(PrometheusAnswer answer) {
    if (answer.status().equals("error")) {
      throw wrong("Prometheus answered with an error: " + shown(answer.error()), null);
    }
    if (!answer.resultType().equals(MATRIX)) {
      String type = answer.resultType();
      throw wrong(
          (type.isEmpty()
                  ? "the answer has no resultType"
                  : "the answer's resultType is '" + shown(type) + "', readings of one moment")
              + "; expected '"
              + MATRIX
              + "', the answer of /api/v1/query_range with start, end and step",
          null);
    }
  }

  private TerraceException wrong(String what, @Nullable Exception cause) {
    return new TerraceException(ErrorCode.BAD_INPUT, "--events " + file + ": " + what, cause);
  }

  private String nodeOf(Series series) {
    String label = series.labels().getOrDefault(serverLabel, "");
    if (node == null && label.isEmpty()) {
      throw wrong(
          "the series "
              + shown(labels(series.labels(), series.labels().keySet()))
              + " has no label '"
              + shown(serverLabel)
              + "' that says whose it is; write --events app1="
              + file
              + ", or name another label by --events-label",
          null);
    }
    return node == null ? shown(label) : node;
  }

  /** A series without a name, as a function of series is, has that of the file. */
  private String metric(Series series) {
    String fileName = String.valueOf(file.getFileName());
    return series.labels().getOrDefault(NAME, ENDING.matcher(fileName).replaceFirst(""));
  }

  private String resource(Series series, Map<String, Set<String>> telling) {
    String metric = metric(series);
    Set<String> kept = new TreeSet<>(telling.getOrDefault(metric, Set.of()));
    kept.retainAll(series.labels().keySet());
    String name = shown(metric) + (kept.isEmpty() ? "" : shown(labels(series.labels(), kept)));
    Map<String, String> whole = new TreeMap<>(series.labels());
    whole.keySet().retainAll(kept);
    whole.put(NAME, metric);
    // What is shown may be cut, and equal to what is shown of other labels.
    Map<Map<String, String>, Integer> ofName = numbers.computeIfAbsent(name, _ -> new HashMap<>());
    int number = ofName.computeIfAbsent(whole, _ -> ofName.size() + 1);
    return number == 1 ? name : name + " #" + number;
  }

  /** The labels of each metric by which some node's series of it differ. */
  private Map<String, Set<String>> tellingLabels(List<Series> all) {
    Map<String, Map<String, String>> firsts = new HashMap<>();
    Map<String, Set<String>> telling = new HashMap<>();
    for (Series series : all) {
      String metric = metric(series);
      Map<String, String> labels = series.labels();
      Map<String, String> first = firsts.putIfAbsent(nodeOf(series) + '\0' + metric, labels);
      if (first != null) {
        Set<String> names = new TreeSet<>(first.keySet());
        names.addAll(labels.keySet());
        names.remove(NAME);
        names.removeIf(name -> labels.getOrDefault(name, "").equals(first.getOrDefault(name, "")));
        telling.computeIfAbsent(metric, _ -> new TreeSet<>()).addAll(names);
      }
    }
    return telling;
  }

  private static String labels(Map<String, String> labels, Set<String> names) {
    return names.stream()
        .map(name -> name + "=\"" + labels.getOrDefault(name, "") + "\"")
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String summary(List<Series> all, List<Sample> samples) {
    long nodes = samples.stream().map(Sample::node).distinct().count();
    return String.format(
        Locale.ROOT,
        "an answer of Prometheus, %,d series, %,d readings of %,d servers",
        all.size(),
        samples.size(),
        nodes);
  }

  private List<String> notes(PrometheusAnswer answer) {
    List<String> notes = new ArrayList<>(answer.notes());
    if (answer.series().isEmpty()) {
      notes.add("no series matched the query in its time");
    }
    long missing = missing(answer.series());
    if (missing > 0) {
      notes.add(
          String.format(
              Locale.ROOT, "%,d readings are missing between others of their series", missing));
    }
    Optional<String> counter = counter(answer.series());
    if (counter.isPresent()) {
      String first = counter.get();
      notes.add(
          "'"
              + first
              + "' counts from a start on; rate("
              + first
              + "[10s]) tells how fast it grows");
    }
    return notes.stream().map(note -> "--events " + file + ": " + shown(note)).toList();
  }

  /**
   * The first metric that counts from a start on: its name says so, and, where a gauge may be
   * called like it, such as a number of sessions, no reading is below the one before.
   */
  private static Optional<String> counter(List<Series> all) {
    Set<String> falling = new HashSet<>();
    for (Series series : all) {
      List<Reading> readings = series.readings();
      for (int i = 1; i < readings.size(); i++) {
        if (readings.get(i).value() < readings.get(i - 1).value()) {
          falling.add(series.labels().getOrDefault(NAME, ""));
        }
      }
    }
    return all.stream()
        .map(series -> series.labels().getOrDefault(NAME, ""))
        .filter(name ->
            COUNTER.matcher(name).matches()
                || (SUMMARY.matcher(name).matches() && !falling.contains(name)))
        .findFirst();
  }

  /** The readings that are not there, by the shortest step between two. */
  private static long missing(List<Series> all) {
    long step = Long.MAX_VALUE;
    for (Series series : all) {
      for (int i = 1; i < series.readings().size(); i++) {
        step = Math.min(step, gap(series, i));
      }
    }
    long missing = 0;
    for (Series series : all) {
      for (int i = 1; i < series.readings().size(); i++) {
        missing += Math.round((double) gap(series, i) / step) - 1;
      }
    }
    return missing;
  }

  private static long gap(Series series, int index) {
    List<Reading> readings = series.readings();
    return readings.get(index).timeNanos() - readings.get(index - 1).timeNanos();
  }

  /** A text of the file as a line: cut, and without what a terminal would take for a command. */
  private static String shown(String text) {
    String cut = text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) + "..." : text;
    return cut.replaceAll("\\p{Cntrl}", "?");
  }
}
