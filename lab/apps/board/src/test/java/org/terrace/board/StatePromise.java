package org.terrace.board;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A row of the table of states in the contract, PAGES.md. */
record StatePromise(String method, String path, String check) {
  private static final Pattern ROW =
      Pattern.compile("\\| (\\w+) \\| (GET|POST) `([^`]+)`.*\\| `(.+)` \\|");

  /** All rows, by the name of their state. */
  static Map<String, StatePromise> ofContract() {
    Path contract = Path.of(System.getProperty("terrace.root"), "lab/apps/board/PAGES.md");
    Map<String, StatePromise> promises = new LinkedHashMap<>();
    try {
      for (String line : Files.readAllLines(contract)) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          promises.put(row.group(1), new StatePromise(row.group(2), row.group(3), row.group(4)));
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return promises;
  }
}
