package org.terrace.distribution.rules.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.Pom;

/**
 * The table of modules in ARCHITECTURE.md: the one place that says what a module may use.
 *
 * <p>Its heading is {@code | module | what it is | may use | its tests also |}; modules stand as
 * folders, what they may use as short names of artifacts, {@code :tests} behind a test jar.
 *
 * @param rows by folder of the module, in the order of the table
 */
public record ModuleTable(Map<String, Row> rows) {
  private static final Pattern WORD = Pattern.compile("[a-z]+(?:-[a-z]+)*");
  private static final Set<String> UNDRAWN = Set.of("distribution", "bom");

  static final String HEADING = "| module | what it is | may use | its tests also |";

  /** The names of the modules that main code, and those that test code besides, may use. */
  record Row(Set<String> uses, Set<String> testUses) {}

  public static ModuleTable read(Path document) throws IOException {
    Map<String, Row> rows = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(document);
    int heading = lines.indexOf(HEADING);
    if (heading < 0) {
      throw new IOException(document + " has no table that is headed " + HEADING);
    }
    for (String line : lines.subList(heading + 2, lines.size())) {
      if (!line.startsWith("|")) {
        break;
      }
      String[] cells = line.split("\\|", -1);
      if (cells.length != 6) {
        throw new IOException(document + ": not a row of four cells: " + line);
      }
      rows.put(word(cells[1]), new Row(names(cells[3]), names(cells[4])));
    }
    return new ModuleTable(rows);
  }

  /** The sentences that tell where the projects declare something else than the table says. */
  public List<String> breachesOf(House house) {
    List<String> breaches = new ArrayList<>();
    Set<String> missing = new TreeSet<>(rows.keySet());
    for (Module module : house.modules()) {
      missing.remove(module.folder());
      Row row = rows.get(module.folder());
      if (row == null) {
        breaches.add(module.folder() + " is not in the table of modules");
        continue;
      }
      String lastFolder = module.folder().substring(module.folder().lastIndexOf('/') + 1);
      if (!module.name().equals(lastFolder)) {
        breaches.add(module.folder() + ": its artifact is not named terrace-" + lastFolder);
      }
      Set<String> uses = declared(house, module, false);
      Set<String> testUses = declared(house, module, true);
      testUses.removeAll(uses);
      compare(module.folder() + " may use", row.uses(), uses, breaches);
      compare("tests of " + module.folder() + " may also use", row.testUses(), testUses, breaches);
    }
    missing.forEach(folder -> breaches.add(folder + " is in the table and not built"));
    return breaches;
  }

  /**
   * The modules that the first drawing of a document does not name, the distribution and the bill
   * of materials left out, which have no place between others.
   */
  public static List<String> missingInDrawing(House house, String document) {
    int begin = document.indexOf("```");
    int end = document.indexOf("```", begin + 3);
    Set<String> drawn = new TreeSet<>();
    Matcher words = WORD.matcher(begin < 0 ? "" : document.substring(begin, Math.max(begin, end)));
    while (words.find()) {
      drawn.add(words.group());
    }
    return house.modules().stream()
        .map(Module::name)
        .filter(name -> !drawn.contains(name) && !UNDRAWN.contains(name))
        .toList();
  }

  private static Set<String> declared(House house, Module module, boolean forTests) {
    Set<String> names = new TreeSet<>();
    for (Pom.Dependency dependency : module.pom().dependencies()) {
      boolean ofTheHouse = house.hasModule(Module.shortName(dependency.artifact()));
      if (ofTheHouse && dependency.isForTestsOnly() == forTests) {
        names.add(dependency.shortName());
      }
    }
    return names;
  }

  private static void compare(
      String who, Set<String> inTable, Set<String> inPom, List<String> breaches) {
    Set<String> onlyInPom = new TreeSet<>(inPom);
    onlyInPom.removeAll(inTable);
    onlyInPom.forEach(name -> breaches.add(who + " " + name + ": only its pom.xml says so"));
    Set<String> onlyInTable = new TreeSet<>(inTable);
    onlyInTable.removeAll(inPom);
    onlyInTable.forEach(name -> breaches.add(who + " " + name + ": only the table says so"));
  }

  private static Set<String> names(String cell) {
    Set<String> names = new TreeSet<>();
    for (String name : cell.split(",", -1)) {
      if (!word(name).isEmpty()) {
        names.add(word(name));
      }
    }
    return names;
  }

  private static String word(String cell) {
    return cell.replace("`", "").replace("–", "").strip();
  }
}
