package org.terrace.dashboard.results;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of the files that are read of results, and of those that may be taken away. */
public final class ResultFiles {
  /** The packets of a trial. */
  public static final String CAPTURE = "capture.pcapng";

  /** The specification that was run. */
  public static final String SPECIFICATION = "specification.yaml";

  /** The report as it was written. */
  public static final String REPORT = "report.html";

  private static final Set<String> READ =
      Set.of(
          "findings.json",
          "facts.json",
          "trial.json",
          "mesh.json",
          "prices.yaml",
          "progress.jsonl",
          REPORT,
          SPECIFICATION,
          CAPTURE);

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
          "application/yaml",
          CAPTURE,
          "application/octet-stream");

  private ResultFiles() {}

  /** Whether a file of this name is read. */
  static boolean isRead(String name) {
    return READ.contains(name) || name.endsWith(".parquet") || name.equals("trials");
  }

  /** Whether a file of this name is read when a report is made. */
  static boolean isOfReport(String name) {
    return name.equals("findings.json") || name.equals("facts.json") || name.endsWith(".parquet");
  }

  /** The type of a file that may be taken away; null for any other. */
  public static @Nullable String typeOf(String name) {
    return OFFERED.get(name);
  }
}
