package org.terrace.distribution.rules.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The tables of promises in the guides and in SECURITY.md: those whose last column is headed {@code
 * test}. Each of their lines names a test class, or one of its methods as {@code Class.method}, in
 * backquotes; a method alone is of the class before it. What is named must be there and be run.
 */
public final class PromiseTables {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern CLASS = Pattern.compile("([A-Z]\\w*)(?:\\.([a-z]\\w*))?");
  private static final Pattern METHOD = Pattern.compile("[a-z]\\w*");
  private static final Pattern PARENT =
      Pattern.compile("\\bclass \\w+(?:<[^{]*>)?\\s+extends (\\w+)");
  private static final Pattern IS_TEST =
      Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\\b");

  private final Map<String, String> sources = new HashMap<>();
  private final List<String> breaches = new ArrayList<>();
  private int lines;

  private PromiseTables(House house) throws IOException {
    for (Module module : house.modules()) {
      Path tests = house.root().resolve(module.folder()).resolve("src/test/java");
      if (Files.isDirectory(tests)) {
        try (Stream<Path> files = Files.walk(tests)) {
          for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
            String name = String.valueOf(file.getFileName()).replace(".java", "");
            sources.put(name, Files.readString(file));
          }
        }
      }
    }
  }

  /** The tables of all guides of a house, and of what it says on security. */
  public static PromiseTables read(House house) throws IOException {
    PromiseTables tables = new PromiseTables(house);
    try (Stream<Path> guides = Files.list(house.root().resolve("docs/guide"))) {
      for (Path guide : guides.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        tables.read(guide);
      }
    }
    Path security = house.root().resolve("SECURITY.md");
    if (Files.exists(security)) {
      tables.read(security);
    }
    return tables;
  }

  /** The number of promises. */
  public int lines() {
    return lines;
  }

  /** The sentences that name lines without a test, and tests that are not there or never run. */
  public List<String> breaches() {
    return breaches;
  }

  private void read(Path guide) throws IOException {
    boolean inTable = false;
    boolean isOfPromises = false;
    int number = 0;
    for (String line : Files.readAllLines(guide)) {
      number++;
      if (!line.startsWith("|")) {
        inTable = false;
      } else if (!inTable) {
        inTable = true;
        String head = last(line);
        isOfPromises = head.equals("test") || head.startsWith("test (");
      } else if (isOfPromises && !line.startsWith("|---")) {
        lines++;
        check(guide.getFileName() + ":" + number, last(line));
      }
    }
  }

  private static String last(String row) {
    String[] cells = row.strip().split("\\|", -1);
    return cells[cells.length - 2].strip();
  }

  private void check(String where, String cell) {
    String type = "";
    Matcher codes = CODE.matcher(cell);
    while (codes.find()) {
      String code = codes.group(1);
      Matcher named = CLASS.matcher(code);
      if (named.matches()) {
        type = named.group(1);
        check(where, type, Optional.ofNullable(named.group(2)));
      } else if (!type.isEmpty() && METHOD.matcher(code).matches()) {
        check(where, type, Optional.of(code));
      }
    }
    if (type.isEmpty()) {
      breaches.add(where + " names no test");
    }
  }

  private void check(String where, String type, Optional<String> method) {
    if (!sources.containsKey(type)) {
      breaches.add(where + " names " + type + ", which is no class of any module's tests");
    } else if (method.isPresent() && !declares(type, method.get())) {
      breaches.add(where + " names " + type + "." + method.get() + ", which is no test");
    } else if (!isRun(type)) {
      breaches.add(where + " names " + type + ", which no build runs");
    }
  }

  /** Whether it or a class above it has a test of that name. */
  private boolean declares(String type, String method) {
    Pattern declaration =
        Pattern.compile(
            IS_TEST.pattern() + "(?:(?!\\bvoid\\b)[\\s\\S])*?\\bvoid " + method + "\\(");
    return familyOf(type).stream().anyMatch(each -> declaration.matcher(each).find());
  }

  /** Whether it, or a class that extends it, is a test class by its name and has tests. */
  private boolean isRun(String type) {
    if (type.endsWith("Test")) {
      return familyOf(type).stream().anyMatch(each -> IS_TEST.matcher(each).find());
    }
    return sources.keySet().stream()
        .anyMatch(each -> each.endsWith("Test") && parentOf(each).equals(type) && isRun(each));
  }

  private List<String> familyOf(String type) {
    List<String> family = new ArrayList<>();
    for (String each = type; sources.containsKey(each); each = parentOf(each)) {
      family.add(sources.get(each));
    }
    return family;
  }

  private String parentOf(String type) {
    Matcher parent = PARENT.matcher(sources.getOrDefault(type, ""));
    return parent.find() ? parent.group(1) : "";
  }
}
