package org.terrace.distribution.rules;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.Pom;

/**
 * The rule that to build and test a module of one wing builds nothing of another: {@code ./build
 * runtime/invocation} builds no lab and no observatory.
 */
final class Reactors {
  private Reactors() {}

  /** The modules below a wing whose build, tests included, needs one below a foreign wing. */
  static List<String> breachesOf(House house, String wing, Set<String> foreign) {
    Map<String, Module> modules = new TreeMap<>();
    house.modules().forEach(module -> modules.put(module.name(), module));
    List<String> breaches = new ArrayList<>();
    for (Module module : house.modules()) {
      if (wingOf(module).equals(wing)) {
        for (String needed : neededBy(module, modules)) {
          Module other = modules.get(needed);
          if (foreign.contains(wingOf(other))) {
            breaches.add("to build " + module.folder() + " builds " + other.folder());
          }
        }
      }
    }
    return breaches;
  }

  /**
   * The names of the modules that Maven builds with a module when it also makes what that one
   * needs.
   */
  private static Set<String> neededBy(Module module, Map<String, Module> modules) {
    Set<String> needed = new TreeSet<>();
    Deque<Module> next = new ArrayDeque<>(List.of(module));
    while (!next.isEmpty()) {
      for (Pom.Dependency dependency : next.removeFirst().pom().dependencies()) {
        String name = Module.shortName(dependency.artifact());
        if (dependency.artifact().startsWith("terrace-")
            && modules.containsKey(name)
            && needed.add(name)) {
          next.add(modules.get(name));
        }
      }
    }
    return needed;
  }

  private static String wingOf(Module module) {
    return module.folder().replaceFirst("/.*", "");
  }
}
