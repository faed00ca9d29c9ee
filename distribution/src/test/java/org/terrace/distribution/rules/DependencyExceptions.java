package org.terrace.distribution.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The list of dependencies that no class shows, each with its reason: {@code dependencies.txt}.
 *
 * <p>{@code unnamed MODULE LIBRARY: reason} is declared though no class names it; {@code LIBRARY
 * brings PACKAGE: reason} allows classes of a package that another artifact holds and the library
 * is there to bring. Whatever is not needed any more is a breach.
 */
final class DependencyExceptions {
  private final Map<String, Set<String>> broughtPackages = new LinkedHashMap<>();
  private final Set<String> unnamed = new LinkedHashSet<>();
  private final Set<String> needed = new HashSet<>();

  static DependencyExceptions read(Path file) throws IOException {
    return new DependencyExceptions(Files.readAllLines(file));
  }

  DependencyExceptions(List<String> lines) throws IOException {
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(": ");
      String[] words = line.substring(0, Math.max(colon, 0)).split(" ", -1);
      if (words.length == 3 && words[0].equals("unnamed")) {
        unnamed.add(words[1] + " " + words[2]);
      } else if (words.length == 3 && words[1].equals("brings")) {
        broughtPackages.computeIfAbsent(words[0], key -> new LinkedHashSet<>()).add(words[2]);
      } else {
        throw new IOException("neither 'unnamed A B: why' nor 'A brings B: why': " + line);
      }
    }
  }

  boolean mayBeUnnamed(String module, String library) {
    String exception = module + " " + library;
    if (unnamed.contains(exception)) {
      needed.add(exception);
      return true;
    }
    return false;
  }

  boolean brings(String library, String type) {
    for (String prefix : broughtPackages.getOrDefault(library, Set.of())) {
      if (type.startsWith(prefix + ".")) {
        needed.add(library + " " + prefix);
        return true;
      }
    }
    return false;
  }

  /** The lines that nothing has needed so far. */
  Set<String> unneeded() {
    Set<String> unneeded = new LinkedHashSet<>(unnamed);
    broughtPackages.forEach(
        (library, prefixes) -> prefixes.forEach(prefix -> unneeded.add(library + " " + prefix)));
    unneeded.removeAll(needed);
    return unneeded;
  }
}
