package org.terrace.distribution.rules;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The rule that programs reach no class that needs JUnit, which is there when tests run and not
 * when a program does: it would end by a {@link NoClassDefFoundError}.
 *
 * <p>A program is main code, with the test code that it takes along: campaigns run the simulations
 * of tests.
 */
final class Programs {
  private static final String JUNIT = "org.junit.";

  private Programs() {}

  /** The sentences that name a class of main code and the way by which it reaches JUnit. */
  static List<String> breachesOf(House house) {
    Map<String, Set<String>> uses = new HashMap<>();
    Set<String> roots = new TreeSet<>();
    for (Module module : house.modules()) {
      uses.putAll(module.testUses());
      module
          .mainUses()
          .forEach((type, named) -> {
            uses.put(type, named);
            if (!needsJUnit(named)) {
              roots.add(type);
            }
          });
    }
    List<String> breaches = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (String root : roots) {
      search(root, uses, seen, breaches);
    }
    return breaches;
  }

  private static void search(
      String root, Map<String, Set<String>> uses, Set<String> seen, List<String> breaches) {
    Map<String, String> reachedFrom = new HashMap<>();
    Deque<String> open = new ArrayDeque<>();
    if (seen.add(root)) {
      open.add(root);
    }
    while (!open.isEmpty()) {
      String type = open.poll();
      Set<String> named = uses.getOrDefault(type, Set.of());
      if (needsJUnit(named)) {
        breaches.add(way(type, reachedFrom) + " needs JUnit");
        continue;
      }
      for (String next : named) {
        if (seen.add(next)) {
          reachedFrom.put(next, type);
          open.add(next);
        }
      }
    }
  }

  private static String way(String type, Map<String, String> reachedFrom) {
    String from = reachedFrom.get(type);
    return from == null ? type : way(from, reachedFrom) + " -> " + type;
  }

  private static boolean needsJUnit(Set<String> named) {
    return named.stream().anyMatch(type -> type.startsWith(JUNIT));
  }
}
