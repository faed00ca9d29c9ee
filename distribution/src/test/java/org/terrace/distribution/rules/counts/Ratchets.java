package org.terrace.distribution.rules.counts;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;

/**
 * The committed numbers of what is too much: they may be lowered, and are never passed. What became
 * of a name stands beside them, with a dot in it: {@link RatchetNames}.
 */
public final class Ratchets {
  private Ratchets() {}

  /**
   * A sentence for every count that is not the committed one: above it, with all that was counted;
   * below it, because a number that is not lowered would let the gain be lost again.
   */
  public static List<String> breachesOf(Map<String, List<String>> counts, Path file)
      throws IOException {
    var committed = new Properties();
    committed.load(new StringReader(Files.readString(file)));
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
      if (name.indexOf('.') < 0 && !counts.containsKey(name)) {
        breaches.add(file.getFileName() + ": nothing counts " + name);
      }
    }
    return breaches;
  }
}
