package org.terrace.distribution.rules.counts;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rule that a number of the ratchets never rises, under no other name either.
 *
 * <p>A name that was not there from the first needs a line that tells where it comes from, and one
 * that is gone needs a line that tells what became of it:
 *
 * <pre>
 * tests-left-out.succeeds=long-tests     the same by another name: no higher than that ever was
 * new-thing.began=0524                   nothing like it was counted: a decision says why it is
 * old-thing.ended=0524                   nobody counts it any more: a decision says why
 * </pre>
 *
 * The page of the decision names the ratchet. One decision does not both begin a number and end
 * another, which would be the same by another name, at any height.
 */
public final class RatchetNames {
  /**
   * The one rise under another name that there was, before the rule: classes with long tests were
   * counted, and then each class or method that the short build leaves out.
   */
  private static final Map<String, String> KNOWN_RISES = Map.of("tests-left-out", "long-tests");

  private static final Set<String> FATES = Set.of("succeeds", "began", "ended");

  /**
   * The texts of a file of the project before, or the reason why there are none.
   *
   * @param first those of the texts with which what is known of the file begins: where it was
   *     added, or where a shallow clone ends
   */
  record Before(List<String> texts, List<String> first, String reason) {
    /** The texts of a file that was committed several times, the oldest first. */
    static Before inARow(String... texts) {
      return new Before(List.of(texts), texts.length == 0 ? List.of() : List.of(texts[0]), "");
    }
  }

  private final Map<String, Integer> lowest = new TreeMap<>();
  private final Set<String> first = new TreeSet<>();
  private final Map<String, Integer> numbers;
  private final Properties lines;
  private final Path decisions;
  private final List<String> breaches = new ArrayList<>();

  private RatchetNames(Before before, String is, Path decisions) {
    for (String text : before.texts()) {
      numbers(properties(text)).forEach((name, number) -> lowest.merge(name, number, Math::min));
    }
    before.first().forEach(text -> first.addAll(numbers(properties(text)).keySet()));
    this.lines = properties(is);
    this.numbers = numbers(lines);
    this.decisions = decisions;
  }

  /**
   * A sentence for every number that is higher than it ever was, and for every name that came or
   * went and does not say from where or whereto.
   *
   * @param decisions the folder of the pages that a line may name
   */
  static List<String> breachesOf(Before before, Path file, Path decisions) throws IOException {
    return new RatchetNames(before, Files.readString(file), decisions).breaches();
  }

  private List<String> breaches() throws IOException {
    for (var entry : numbers.entrySet()) {
      checkNumber(entry.getKey(), entry.getValue());
      if (!first.contains(entry.getKey())) {
        checkBeginning(entry.getKey());
      }
    }
    Set<String> succeeded = new TreeSet<>();
    numbers.keySet().forEach(name -> succeeded.addAll(predecessorsOf(name)));
    for (String name : lowest.keySet()) {
      if (!numbers.containsKey(name) && !succeeded.contains(name)) {
        checkEnd(name);
      }
    }
    numbers.keySet().forEach(this::checkNothingEndsWithIt);
    for (String line : new TreeSet<>(lines.stringPropertyNames())) {
      String fate = line.substring(line.indexOf('.') + 1);
      if (!numbers.containsKey(line) && !FATES.contains(fate)) {
        breaches.add(line + " is neither a number nor one of " + new TreeSet<>(FATES));
      }
    }
    return breaches;
  }

  private void checkNumber(String name, int number) {
    Set<String> names = new TreeSet<>(predecessorsOf(name));
    names.add(name);
    for (String each : names) {
      int was = lowest.getOrDefault(each, number);
      if (number > was) {
        breaches.add(
            each.equals(name)
                ? "%s may only fall, and rose from %d to %d".formatted(name, was, number)
                : "%s may only fall, and rose from %d of %s to %d"
                    .formatted(name, was, each, number));
      }
    }
  }

  private void checkNothingEndsWithIt(String name) {
    String began = lines.getProperty(name + ".began");
    for (String old : lowest.keySet()) {
      boolean isKnown = old.equals(KNOWN_RISES.get(name));
      if (began != null && began.equals(lines.getProperty(old + ".ended")) && !isKnown) {
        breaches.add(
            "%s begins with the decision that ends %s: %s.succeeds=%s, or two decisions"
                .formatted(name, old, name, old));
      }
    }
  }

  private void checkBeginning(String name) throws IOException {
    String succeeds = lines.getProperty(name + ".succeeds");
    String began = lines.getProperty(name + ".began");
    if (succeeds == null && began == null) {
      breaches.add(
          "%s is new: %s.succeeds=NAME tells whose limit it keeps, %s.began=NNNN the decision that counts it first"
              .formatted(name, name, name));
    }
    if (began != null) {
      checkPage(name, began);
    }
    for (String old : succeeds == null ? List.<String>of() : listed(succeeds)) {
      if (!lowest.containsKey(old)) {
        breaches.add(name + " succeeds " + old + ", which was never counted");
      }
    }
  }

  private void checkEnd(String name) throws IOException {
    String ended = lines.getProperty(name + ".ended");
    if (ended == null) {
      breaches.add(
          "%s is gone: NAME.succeeds=%s tells what keeps its limit of %d, %s.ended=NNNN the decision that counts it no more"
              .formatted(name, name, lowest.get(name), name));
    } else {
      checkPage(name, ended);
    }
  }

  private void checkPage(String name, String number) throws IOException {
    if (number.matches("\\d{4}") && Files.isDirectory(decisions)) {
      try (var pages = Files.newDirectoryStream(decisions, number + "-*.md")) {
        for (Path page : pages) {
          if (Files.readString(page).contains("`" + name + "`")) {
            return;
          }
        }
      }
    }
    breaches.add(name + ": " + number + " is no decision that names it");
  }

  /** The names whose limit a name keeps: those that it succeeds, and those that they did. */
  private Set<String> predecessorsOf(String name) {
    Set<String> found = new TreeSet<>();
    List<String> open = new ArrayList<>(List.of(name));
    while (!open.isEmpty()) {
      for (String old : listed(lines.getProperty(open.removeLast() + ".succeeds", ""))) {
        if (found.add(old)) {
          open.add(old);
        }
      }
    }
    return found;
  }

  private static List<String> listed(String names) {
    return names.isBlank() ? List.of() : List.of(names.strip().split("\\s*,\\s*", -1));
  }

  private static Map<String, Integer> numbers(Properties lines) {
    Map<String, Integer> numbers = new TreeMap<>();
    for (String name : lines.stringPropertyNames()) {
      if (name.indexOf('.') < 0) {
        numbers.put(name, Integer.valueOf(lines.getProperty(name)));
      }
    }
    return numbers;
  }

  private static Properties properties(String text) {
    var properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
