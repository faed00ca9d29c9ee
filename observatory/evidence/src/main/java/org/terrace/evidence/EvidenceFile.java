package org.terrace.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.ObservationFiles;

/**
 * A file or directory that tells what happened on a server or a host, recognised by its content:
 *
 * <ul>
 *   <li>what {@code terrace watch} left in a directory;
 *   <li>a table of events, in Parquet or CSV;
 *   <li>a recording of JDK Flight Recorder, or the log of a JVM's pauses;
 *   <li>a log of PostgreSQL, an error or slow query log of MariaDB or MySQL, or the file of
 *       MariaDB's table of slow statements;
 *   <li>an answer of Prometheus to a range query.
 * </ul>
 *
 * Logs, CSV and answers may be packed by gzip. Stateless.
 */
public final class EvidenceFile {
  /** The kinds of files that are read, for messages. */
  public static final String EXPECTED =
      "the directory of terrace watch, a table of events (CSV, Parquet), a JFR recording, a JVM's"
          + " log of pauses ("
          + PauseLog.DATED_OPTION
          + "), a log of PostgreSQL, an error or slow log of MariaDB or its slow_log.CSV, or an answer"
          + " of Prometheus to query_range";

  /** The label of Prometheus's series that names the server, where no other is named. */
  public static final String SERVER_LABEL = PrometheusRange.INSTANCE;

  private static final int HEAD = 8;

  /**
   * The number of lines that tell what a log is; a log may begin with what a start script printed.
   */
  private static final int LOOKED_AT = 500;

  private static final Pattern CSV_HEADER = Pattern.compile("(?:.*,)?\"?kind\"?(?:,.*)?");

  private enum Form {
    PARQUET,
    CSV,
    RECORDING,
    JVM,
    POSTGRES,
    MARIADB_ERRORS,
    MARIADB_SLOW,
    MARIADB_SLOW_TABLE,
    PROMETHEUS
  }

  private EvidenceFile() {}

  /**
   * Reads a file, where answers of Prometheus name servers by {@value #SERVER_LABEL}.
   *
   * @see #read(Path, String, ZoneId, String)
   */
  public static Evidence read(Path file, @Nullable String node, @Nullable ZoneId zone) {
    return read(file, node, zone, SERVER_LABEL);
  }

  /**
   * Reads a file.
   *
   * @param file the file or directory
   * @param node the server or host whose file it is; null if the file says so itself
   * @param zone the zone of dates that tell none; null for this machine's, which is then said
   * @param serverLabel the label by which an answer of Prometheus names servers
   * @throws TerraceException if it is none of these, names no node, or cannot be read
   */
  public static Evidence read(
      Path file, @Nullable String node, @Nullable ZoneId zone, String serverLabel) {
    try {
      if (Files.isDirectory(file)) {
        return WatchDirectory.read(file, node);
      }
      Form form = form(file);
      return form == Form.PROMETHEUS
          ? new PrometheusRange(file, node, serverLabel).read()
          : readFile(file, form, node, zone);
    } catch (DateTimeException e) {
      throw wrong(file, String.valueOf(e.getMessage()), e);
    } catch (MalformedInputException e) {
      throw wrong(file, "it is no text; expected " + EXPECTED, e);
    } catch (IOException e) {
      throw wrong(file, "it cannot be read: " + e, e);
    }
  }

  private static TerraceException wrong(Path file, String what, @Nullable Exception cause) {
    return new TerraceException(ErrorCode.BAD_INPUT, "--events " + file + ": " + what, cause);
  }

  private static Evidence readFile(
      Path file, Form form, @Nullable String node, @Nullable ZoneId zone) throws IOException {
    if (form == Form.PARQUET || form == Form.CSV) {
      List<Event> events = ObservationFiles.readEvents(file, node);
      String summary = String.format(Locale.ROOT, "a table of events, %,d rows", events.size());
      return new Evidence(events, List.of(), summary, List.of());
    }
    if (node == null) {
      throw wrong(file, "the file does not say whose it is; write --events app1=" + file, null);
    }
    return switch (form) {
      case RECORDING -> new FlightRecording(node).read(file);
      case POSTGRES -> new PostgresLog(node, zone).read(file);
      case MARIADB_ERRORS -> new MariaDbErrorLog(node, zone).read(file);
      case MARIADB_SLOW -> new MariaDbSlowLog(node).read(file);
      case MARIADB_SLOW_TABLE -> new MariaDbSlowTable(node, zone).read(file);
      case JVM, PARQUET, CSV, PROMETHEUS -> {
        List<Event> pauses = PauseLog.read(file, node);
        String summary = String.format(Locale.ROOT, "a JVM's log, %,d pauses", pauses.size());
        yield new Evidence(pauses, List.of(), summary, List.of());
      }
    };
  }

  private static Form form(Path file) throws IOException {
    byte[] head;
    try (InputStream bytes = Files.newInputStream(file)) {
      head = bytes.readNBytes(HEAD);
    }
    if (FlightRecording.recognises(head)) {
      return Form.RECORDING;
    }
    if (head.length >= 4 && new String(head, 0, 4, StandardCharsets.US_ASCII).equals("PAR1")) {
      return Form.PARQUET;
    }
    if (!ObservationFiles.holdsTable(file)) {
      return logForm(file);
    }
    // A table of events has a header; that of MariaDB, which is called CSV as well, has none.
    try (TextLines text = TextLines.open(file)) {
      String first = text.next();
      return first != null && MariaDbSlowTable.recognises(first)
          ? Form.MARIADB_SLOW_TABLE
          : Form.CSV;
    }
  }

  private static Form logForm(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (TextLines text = TextLines.open(file)) {
      String line = text.next();
      while (line != null && lines.size() < LOOKED_AT) {
        lines.add(line);
        line = text.next();
      }
    }
    if (lines.isEmpty()) {
      throw wrong(file, "it is empty; expected " + EXPECTED, null);
    }
    if (CSV_HEADER.matcher(lines.getFirst().toLowerCase(Locale.ROOT)).matches()) {
      return Form.CSV;
    }
    if (PrometheusRange.recognises(lines)) {
      return Form.PROMETHEUS;
    }
    for (String line : lines) {
      if (PostgresLog.recognises(line)) {
        return Form.POSTGRES;
      }
      if (MariaDbSlowLog.recognises(line)) {
        return Form.MARIADB_SLOW;
      }
      if (MariaDbSlowTable.recognises(line)) {
        return Form.MARIADB_SLOW_TABLE;
      }
      if (MariaDbErrorLog.recognises(line)) {
        return Form.MARIADB_ERRORS;
      }
      if (PauseLogLine.parse(line) != null) {
        return Form.JVM;
      }
    }
    throw wrong(
        file,
        "line 1 begins '"
            + start(lines.getFirst())
            + "', as none of the files that are known; expected "
            + EXPECTED,
        null);
  }

  /** The beginning of a line, without what a terminal would take for a command. */
  private static String start(String line) {
    int shown = Math.min(line.length(), 40);
    return line.substring(0, shown).replaceAll("\\p{Cntrl}", "?");
  }
}
