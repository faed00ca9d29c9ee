package org.terrace.distribution.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.Pom;

/**
 * The rule that a module's code names a class of another only if its own project file says so.
 *
 * <p>Tests may also name what main code has on its path: a project file that declared that once
 * more, for tests, would take it from main code.
 */
final class Arrows {
  private Arrows() {}

  /** Uses between modules that the user's project file does not declare, one class each. */
  static List<String> breachesOf(House house) {
    Map<String, String> mainOwners = house.ownersOfMainClasses();
    Map<String, String> allOwners = new HashMap<>(house.ownersOfTestClasses());
    allOwners.putAll(mainOwners);
    List<String> breaches = new ArrayList<>();
    for (Module module : house.modules()) {
      Set<String> allowed = new HashSet<>();
      allowed.add(module.name());
      add(module, false, allowed);
      undeclared(module.mainUses(), allOwners, allowed)
          .forEach((used, by) -> breaches.add(sentence(module.name(), used, by)));
      allowed.add(module.name() + ":tests");
      allowed.addAll(house.broughtTo(module));
      add(module, true, allowed);
      undeclared(module.testUses(), allOwners, allowed)
          .forEach((used, by) -> breaches.add(sentence("tests of " + module.name(), used, by)));
    }
    return breaches;
  }

  /** Classes below some folders that name a class of a module below another folder. */
  static List<String> breachesOfWings(House house, Set<String> wings, String unknownToThem) {
    Map<String, String> owners = new HashMap<>(house.ownersOfTestClasses());
    owners.putAll(house.ownersOfMainClasses());
    Set<String> hidden = new HashSet<>();
    for (Module module : house.modules()) {
      if (module.wing().equals(unknownToThem)) {
        hidden.add(module.name());
        hidden.add(module.name() + ":tests");
      }
    }
    Set<String> breaches = new TreeSet<>();
    for (Module module : house.modules()) {
      if (wings.contains(module.wing())) {
        for (var uses : List.of(module.mainUses(), module.testUses())) {
          uses.forEach((user, named) -> {
            for (String type : named) {
              if (hidden.contains(owners.getOrDefault(type, ""))) {
                breaches.add(user + " of " + module.folder() + " names " + type);
              }
            }
          });
        }
      }
    }
    return List.copyOf(breaches);
  }

  private static void add(Module module, boolean testsToo, Set<String> allowed) {
    for (Pom.Dependency dependency : module.pom().dependencies()) {
      if (testsToo || !dependency.isForTestsOnly()) {
        allowed.add(dependency.shortName());
      }
    }
  }

  private static Map<String, String> undeclared(
      Map<String, Set<String>> uses, Map<String, String> owners, Set<String> allowed) {
    Map<String, String> firstUse = new TreeMap<>();
    uses.forEach((user, named) -> {
      for (String type : named) {
        String owner = owners.get(type);
        if (owner != null && !allowed.contains(owner) && !uses.containsKey(type)) {
          firstUse.putIfAbsent(owner, user + " names " + type);
        }
      }
    });
    return firstUse;
  }

  private static String sentence(String user, String used, String example) {
    return user + " uses " + used + " and its pom.xml does not declare it: " + example;
  }
}
