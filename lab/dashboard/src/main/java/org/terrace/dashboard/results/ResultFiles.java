package org.terrace.dashboard.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of the files that are read of results, and of those that may be taken away. */
public final class ResultFiles {
  /** The packets of a trial, as the first capture point saw them. */
  public static final String CAPTURE = "capture.pcapng";

  /** The specification that was run. */
  public static final String SPECIFICATION = "specification.yaml";

  /** The report as it was written. */
  public static final String REPORT = "report.html";

  /** The beginning and end of the name of a further capture, around that of its point. */
  private static final String FURTHER = "capture-";

  private static final String ENDING = ".pcapng";
  private static final int MOST_CAPTURES = 500;

  private static final Set<String> READ =
      Set.of(
          "findings.json",
          "facts.json",
          "trial.json",
          "mesh.json",
          "prices.yaml",
          "progress.jsonl",
          REPORT,
          SPECIFICATION);

  /** The files that may be taken away, with their types; all as attachments. */
  private static final Map<String, String> OFFERED =
      Map.of(
          "findings.json",
          "application/json",
          "mesh.json",
          "application/json",
          REPORT,
          "application/octet-stream",
          SPECIFICATION,
          "application/yaml");

  private ResultFiles() {}

  /** Whether a file of this name is read. */
  static boolean isRead(String name) {
    return READ.contains(name)
        || isCapture(name)
        || name.endsWith(".parquet")
        || name.equals("trials");
  }

  /** Whether a file of this name is read when a report is made. */
  static boolean isOfReport(String name) {
    return name.equals("findings.json") || name.equals("facts.json") || name.endsWith(".parquet");
  }

  /** The type of a file that may be taken away; null for any other. */
  public static @Nullable String typeOf(String name) {
    return isCapture(name) ? "application/octet-stream" : OFFERED.get(name);
  }

  /** Whether a file of this name holds packets of a trial. */
  static boolean isCapture(String name) {
    return name.equals(CAPTURE)
        || (name.startsWith(FURTHER)
            && name.endsWith(ENDING)
            && name.length() > FURTHER.length() + ENDING.length());
  }

  /**
   * The name of the capture point of a file of packets; empty for the first, whose clock is that of
   * all times.
   */
  static String pointOf(String name) {
    return name.equals(CAPTURE)
        ? ""
        : name.substring(FURTHER.length(), name.length() - ENDING.length());
  }

  /** The names of the files of packets in a place, that of the first capture point first. */
  public static List<String> captures(ResultPlace place) {
    try (Stream<Path> files = Files.list(place.directory())) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> isCapture(name) && ServedDirectory.file(place, name).isPresent())
          .sorted(Comparator.comparing(ResultFiles::pointOf))
          .limit(MOST_CAPTURES)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
