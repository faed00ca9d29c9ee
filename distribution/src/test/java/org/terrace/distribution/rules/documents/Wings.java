package org.terrace.distribution.rules.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The table of wings in the README: all modules by the last part of their folder, each in
 * backquotes in the row of its wing.
 */
public final class Wings {
  static final String HEADING = "| wing | modules |";

  /** Modules at the root and those that no build of the root makes stand in the last row. */
  private static final String BESIDE = "beside them";

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private Wings() {}

  /** The sentences that name modules missing from the table, and names that are no module. */
  public static List<String> breachesOf(House house, Path readme) throws IOException {
    List<String> lines = Files.readAllLines(readme);
    int heading = lines.indexOf(HEADING);
    if (heading < 0) {
      return List.of(readme.getFileName() + " has no table that is headed " + HEADING);
    }
    Set<String> told = new TreeSet<>();
    for (String line : lines.subList(heading + 2, lines.size())) {
      if (!line.startsWith("|")) {
        break;
      }
      told.addAll(entries(line));
    }
    Set<String> built = new TreeSet<>();
    for (Module module : house.modules()) {
      built.add(wing(module.folder()) + ": " + last(module.folder()));
    }
    List<String> breaches = new ArrayList<>();
    for (String entry : built) {
      if (!told.remove(entry)) {
        breaches.add(entry + " is not in the README's table of wings");
      }
    }
    // The examples are built by nobody here, as by a user.
    told.remove(BESIDE + ": examples");
    told.forEach(entry -> breaches.add(entry + " is in the README's table of wings and not built"));
    return breaches;
  }

  private static Set<String> entries(String line) {
    String[] cells = line.split("\\|", -1);
    List<String> heads = NAME.matcher(cells[1]).results().map(match -> match.group(1)).toList();
    String wing = heads.isEmpty() ? cells[1].strip() : heads.getFirst();
    Set<String> entries = new TreeSet<>();
    NAME.matcher(cells[2]).results().forEach(match -> entries.add(wing + ": " + match.group(1)));
    return entries;
  }

  private static String wing(String folder) {
    return folder.contains("/") ? folder.substring(0, folder.indexOf('/')) : BESIDE;
  }

  private static String last(String folder) {
    return folder.substring(folder.lastIndexOf('/') + 1);
  }
}
