package org.terrace.distribution.rules.counts;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;

/** The committed numbers of what is too much: they may be lowered, and are never passed. */
public final class Ratchets {
  private Ratchets() {}

  /**
   * A sentence for every count that is not the committed one: above it, with all that was counted;
   * below it, because a number that is not lowered would let the gain be lost again.
   */
  public static List<String> breachesOf(Map<String, List<String>> counts, Path file) throws IOException {
    Properties committed = numbers(Files.readString(file));
    List<String> breaches = new ArrayList<>();
    counts.forEach((name, found) -> {
      String number = committed.getProperty(name);
      if (number == null) {
        breaches.add(file.getFileName() + " has no " + name + ": it is " + found.size());
      } else if (found.size() > Integer.parseInt(number)) {
        breaches.add(
            name
                + " may be "
                + number
                + ", is "
                + found.size()
                + ":\n  "
                + String.join("\n  ", found));
      } else if (found.size() < Integer.parseInt(number)) {
        breaches.add(
            name
                + " fell from "
                + number
                + ": write "
                + name
                + "="
                + found.size()
                + " in "
                + file.getFileName());
      }
    });
    for (String name : new TreeSet<>(committed.stringPropertyNames())) {
      if (!counts.containsKey(name)) {
        breaches.add(file.getFileName() + ": nothing counts " + name);
      }
    }
    return breaches;
  }

  /**
   * A sentence for every number that is higher than it ever was. A ratchet that is new, or no
   * longer counted, is none of these: one that counts more than before gets another name.
   */
  static List<String> raisedSince(List<String> before, Path file) throws IOException {
    Map<String, Integer> lowest = new HashMap<>();
    for (String text : before) {
      Properties was = numbers(text);
      for (String name : was.stringPropertyNames()) {
        lowest.merge(name, Integer.valueOf(was.getProperty(name)), Math::min);
      }
    }
    Properties is = numbers(Files.readString(file));
    List<String> breaches = new ArrayList<>();
    for (String name : new TreeSet<>(is.stringPropertyNames())) {
      int number = Integer.parseInt(is.getProperty(name));
      if (number > lowest.getOrDefault(name, number)) {
        breaches.add(
            "%s may only fall, and rose from %d to %d".formatted(name, lowest.get(name), number));
      }
    }
    return breaches;
  }

  private static Properties numbers(String text) throws IOException {
    var numbers = new Properties();
    numbers.load(new StringReader(text));
    return numbers;
  }
}
