package org.terrace.distribution.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a page of {@code docs/decisions}: its title and the list of facts below it.
 *
 * <pre>
 * # 0190. After a crash no read waits for a new replica
 *
 * - Area: invocation
 * - Status: holds
 * - Supersedes: 0113 in part
 * - Followed by: `CallCore`, `LatencyEstimate`
 * </pre>
 *
 * @param fields the facts by their names, in their order
 */
record DecisionPage(Path file, String number, String title, Map<String, String> fields) {
  static final List<String> AREAS =
      List.of(
          "house",
          "groups",
          "collections",
          "invocation",
          "control",
          "middleware",
          "soft-state services",
          "capture",
          "wire",
          "observation",
          "tracing",
          "analysis",
          "report",
          "experiment",
          "load",
          "databases",
          "applications",
          "studies",
          "benchmarks");

  static final Pattern STATUS =
      Pattern.compile("holds|(?:changed in part|superseded) by \\d{4}(?:, \\d{4})*");

  private static final List<String> NAMES = List.of("Area", "Status", "Supersedes", "Followed by");
  private static final Pattern TITLE = Pattern.compile("# (\\d{4})\\. (.+)");
  private static final Pattern FIELD = Pattern.compile("- ([A-Z][a-z ]+): (.+)");

  static DecisionPage read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Matcher title = TITLE.matcher(lines.isEmpty() ? "" : lines.getFirst());
    if (!title.matches()) {
      throw new IOException(file + " does not begin with '# NNNN. Title'");
    }
    if (!file.getFileName().toString().startsWith(title.group(1) + "-")) {
      throw new IOException(file + " has another number in its title: " + title.group(1));
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : lines.subList(Math.min(2, lines.size()), lines.size())) {
      Matcher field = FIELD.matcher(line);
      if (!field.matches()) {
        break;
      }
      if (!NAMES.contains(field.group(1))) {
        throw new IOException(file + ": '" + field.group(1) + "' is none of " + NAMES);
      }
      fields.put(field.group(1), field.group(2));
    }
    requireValue(
        file, fields, "Area", AREAS.contains(fields.get("Area")), String.join(", ", AREAS));
    String status = fields.getOrDefault("Status", "");
    requireValue(file, fields, "Status", STATUS.matcher(status).matches(), STATUS.pattern());
    return new DecisionPage(file, title.group(1), title.group(2), fields);
  }

  String field(String name) {
    return fields.getOrDefault(name, "");
  }

  boolean isSuperseded() {
    return field("Status").startsWith("superseded");
  }

  private static void requireValue(
      Path file, Map<String, String> fields, String name, boolean right, String expected)
      throws IOException {
    if (!right) {
      throw new IOException(
          file + ": '- " + name + ": " + fields.get(name) + "' should be one of: " + expected);
    }
  }
}
