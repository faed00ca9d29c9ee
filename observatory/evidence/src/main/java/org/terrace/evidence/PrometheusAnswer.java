package org.terrace.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * The answer of Prometheus' HTTP interface to a query, read from JSON in bounded memory; fields may
 * come in any order, and unknown ones are passed over. Confined to one thread.
 */
final class PrometheusAnswer {
  /** At most this many readings are kept of one answer; the rest are counted. */
  static final int MOST_READINGS = 1_000_000;

  /** At most this many series are kept of one answer; the rest are counted. */
  static final int MOST_SERIES = 10_000;

  /** At most this many characters of names and values of labels are kept of one answer. */
  static final int MOST_LABEL_CHARS = 8_000_000;

  /** At most this many of its remarks are kept. */
  private static final int MOST_REMARKS = 20;

  private static final int MOST_LABELS = 64;
  private static final int LONGEST_LABEL = 1_024;
  private static final int DEPTH_MAX = 32;
  private static final int TEXT_CHARS_MAX = 1 << 16;
  private static final int NUMBER_CHARS_MAX = 100;
  private static final double LAST_SECOND = 9e9;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxStringLength(TEXT_CHARS_MAX)
                  .maxNumberLength(NUMBER_CHARS_MAX)
                  .build())
          .build();

  private final JsonParser parser;
  private final int mostReadings;
  private final int mostLabelChars;
  private final List<Series> series = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private String status = "";
  private String errorType = "";
  private String error = "";
  private String resultType = "";
  private long kept;
  private long dropped;
  private long droppedSeries;
  private long droppedLabels;
  private long labelChars;
  private long notFinite;
  private long histograms;
  private boolean partial;

  /**
   * A reading.
   *
   * @param timeNanos nanoseconds since the Unix epoch, exact to the millisecond
   */
  record Reading(long timeNanos, double value) {}

  /** A series: its labels by name, and its finite readings in the order of time. */
  record Series(Map<String, String> labels, List<Reading> readings) {}

  private PrometheusAnswer(InputStream input, int mostReadings, int mostLabelChars) {
    this.parser = FACTORY.createParser(ObjectReadContext.empty(), input);
    this.mostReadings = mostReadings;
    this.mostLabelChars = mostLabelChars;
  }

  /**
   * Reads an answer.
   *
   * @throws IOException if it is no answer of Prometheus, with the line and column
   * @throws tools.jackson.core.JacksonException if it is no JSON or ends too early
   */
  static PrometheusAnswer read(InputStream input, int mostReadings, int mostLabelChars)
      throws IOException {
    PrometheusAnswer answer = new PrometheusAnswer(input, mostReadings, mostLabelChars);
    answer.parser.nextToken();
    answer.object(name -> {
      switch (name) {
        case "status" -> answer.status = answer.text();
        case "errorType" -> answer.errorType = answer.text();
        case "error" -> answer.error = answer.text();
        case "isPartial" -> answer.partial = answer.text().equals("true");
        case "warnings", "infos" -> answer.array(() -> answer.remark(answer.text()));
        case "data" -> answer.data();
        default -> answer.parser.skipChildren();
      }
    });
    if (answer.parser.nextToken() != null) {
      throw answer.expected("the end of the file: a second answer belongs into a file of its own");
    }
    return answer;
  }

  /** The taking of an element of an array, which consumes it whole. */
  private interface Taking {
    void take() throws IOException;
  }

  /** The taking of a field of an object, which consumes its value whole. */
  private interface FieldTaking {
    void take(String name) throws IOException;
  }

  private void object(FieldTaking field) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw expected("an object");
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      field.take(name);
    }
    if (parser.currentToken() != JsonToken.END_OBJECT) {
      throw expected("the end of an object");
    }
  }

  private void array(Taking element) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw expected("an array");
    }
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      if (token == null) {
        throw expected("the end of an array");
      }
      element.take();
      token = parser.nextToken();
    }
  }

  private String text() throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null || !token.isScalarValue()) {
      throw expected("a text");
    }
    return token == JsonToken.VALUE_NULL ? "" : String.valueOf(parser.getString());
  }

  private void remark(String text) {
    if (remarks.size() < MOST_REMARKS) {
      remarks.add(text);
    }
  }

  private void data() throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    object(name -> {
      switch (name) {
        case "resultType" -> resultType = text();
        case "result" -> array(this::element);
        default -> parser.skipChildren();
      }
    });
  }

  /** One element of the result, which of a matrix is a series; others' are passed over. */
  private void element() throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    Map<String, String> labels = new TreeMap<>();
    List<Reading> readings = new ArrayList<>();
    object(name -> {
      switch (name) {
        case "metric" -> object(label -> label(label, labels));
        case "values" -> array(() -> pair(readings));
        case "histograms" ->
            array(() -> {
              histograms++;
              parser.skipChildren();
            });
        default -> parser.skipChildren();
      }
    });
    long chars =
        labels.entrySet().stream()
            .mapToLong(label -> label.getKey().length() + label.getValue().length())
            .sum();
    if (series.size() == MOST_SERIES) {
      droppedSeries++;
      kept -= readings.size();
    } else if (labelChars + chars > mostLabelChars) {
      droppedLabels++;
      kept -= readings.size();
    } else {
      labelChars += chars;
      series.add(new Series(labels, readings));
    }
  }

  private void label(String name, Map<String, String> labels) throws IOException {
    String value = text();
    if (labels.size() == MOST_LABELS
        || value.length() > LONGEST_LABEL
        || name.length() > LONGEST_LABEL) {
      throw expected(
          "at most " + MOST_LABELS + " labels, of at most " + LONGEST_LABEL + " characters each");
    }
    labels.put(name, value);
  }

  /** A pair of a time in seconds and a value. */
  private void pair(List<Reading> readings) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw expected("a pair of a time and a value");
    }
    parser.nextToken();
    long time = time(text());
    parser.nextToken();
    double value = value(text());
    if (parser.nextToken() != JsonToken.END_ARRAY) {
      throw expected("the end of a pair of a time and a value");
    }
    if (!readings.isEmpty() && time <= readings.getLast().timeNanos()) {
      throw expected("a later time than that of the reading before");
    }
    if (!Double.isFinite(value)) {
      notFinite++;
    } else if (kept == mostReadings) {
      dropped++;
    } else {
      kept++;
      readings.add(new Reading(time, value));
    }
  }

  private long time(String text) throws IOException {
    double seconds = number(text, "a time in seconds");
    if (!(seconds >= 0 && seconds <= LAST_SECOND)) {
      throw expected("a time in seconds since 1970");
    }
    return Math.round(seconds * 1e3) * NANOS_PER_MILLI;
  }

  private double value(String text) throws IOException {
    return switch (text) {
      case "+Inf", "-Inf", "NaN" -> Double.NaN;
      default -> number(text, "a value");
    };
  }

  private double number(String text, String what) throws IOException {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw expected(what);
    }
  }

  private IOException expected(String what) {
    TokenStreamLocation at = parser.currentTokenLocation();
    return new IOException(
        "line %d, column %d: expected %s".formatted(at.getLineNr(), at.getColumnNr(), what));
  }

  /** The status, {@code success} or {@code error}; empty if there is none. */
  String status() {
    return status;
  }

  /** The kind of error, and its text; empty without one. */
  String error() {
    return errorType.isEmpty() ? error : errorType + ": " + error;
  }

  /** The type of the result; empty if it is not told. */
  String resultType() {
    return resultType;
  }

  /** The series in the answer's order. */
  List<Series> series() {
    return series;
  }

  /** The sentences about what was passed over or remarked, each without its beginning. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    remarks.forEach(remark -> notes.add("Prometheus remarks: " + remark));
    if (partial) {
      notes.add("the answer says that it is partial");
    }
    add(notes, notFinite, 0, "%,d values that are no number or infinite were passed over");
    add(
        notes,
        histograms,
        0,
        "%,d values that are histograms were passed over: ask for a quantile");
    add(notes, dropped, mostReadings, "%,d readings beyond the first %,d were passed over");
    add(notes, droppedSeries, MOST_SERIES, "%,d series beyond the first %,d were passed over");
    add(
        notes,
        droppedLabels,
        mostLabelChars,
        "%,d series were passed over, as labels of more than %,d characters are not kept");
    return notes;
  }

  private static void add(List<String> notes, long count, int most, String sentence) {
    if (count > 0) {
      notes.add(String.format(Locale.ROOT, sentence, count, most));
    }
  }
}
