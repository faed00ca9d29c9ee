package org.terrace.distribution.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The packages of main or of test code and what they use of each other, by class files and by what
 * their sources import or name in full (it may serve a comment alone, and still leads a reader
 * there).
 *
 * @param uses by package, the packages it uses, itself left out
 * @param owners by package, the module that holds it
 */
record Packages(Map<String, Set<String>> uses, Map<String, String> owners) {
  private static final Pattern FULL_NAME =
      Pattern.compile("(?<![\\w.])([a-z]\\w*(?:\\.[a-z]\\w*)+)\\.([A-Z]\\w*)");
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

  /** The packages of main code. */
  static Packages of(House house) throws IOException {
    return of(house, house.ownersOfMainClasses(), Module::mainUses, Module::mainSources);
  }

  /**
   * The packages of test code and what they use of each other's test code. What they use of main
   * code is no arrow of theirs: a test may stand in the package that it looks into from above.
   */
  static Packages ofTests(House house) throws IOException {
    return of(house, house.ownersOfTestClasses(), Module::testUses, Module::testSources);
  }

  private static Packages of(
      House house,
      Map<String, String> ownersOfTypes,
      Function<Module, Map<String, Set<String>>> usesOf,
      Function<Module, List<Path>> sourcesOf)
      throws IOException {
    Map<String, String> owners = new TreeMap<>();
    ownersOfTypes.forEach((type, owner) -> owners.put(packageOf(type), owner));
    Map<String, Set<String>> uses = new TreeMap<>();
    owners.keySet().forEach(name -> uses.put(name, new TreeSet<>()));
    for (Module module : house.modules()) {
      usesOf
          .apply(module)
          .forEach((user, types) ->
              types.stream()
                  .filter(ownersOfTypes::containsKey)
                  .forEach(type -> uses.get(packageOf(user)).add(packageOf(type))));
      for (Path file : sourcesOf.apply(module)) {
        addFullNames(Files.readString(file), ownersOfTypes.keySet(), uses);
      }
    }
    uses.forEach((user, used) -> used.remove(user));
    return new Packages(uses, owners);
  }

  /** Every circle of packages: all packages that use each other, directly or by others. */
  List<String> cycles() {
    List<String> cycles = new ArrayList<>();
    Set<String> done = new TreeSet<>();
    for (String start : uses.keySet()) {
      if (!done.contains(start)) {
        Set<String> circle = new TreeSet<>(reachableFrom(start));
        circle.removeIf(other -> !reachableFrom(other).contains(start));
        done.addAll(circle);
        if (!circle.isEmpty()) {
          cycles.add("a circle of packages: " + String.join(", ", circle));
        }
      }
    }
    return cycles;
  }

  /** The packages that stand in some circle. */
  Set<String> inCycles() {
    Set<String> found = new TreeSet<>();
    uses.keySet().stream().filter(name -> reachableFrom(name).contains(name)).forEach(found::add);
    return found;
  }

  /**
   * Sub-packages that name a package which uses sub-packages of its own, a facade. An adapter in a
   * module of its own stands above the facade, whatever its name.
   */
  List<String> namedFacades() {
    List<String> breaches = new ArrayList<>();
    uses.forEach((facade, used) -> {
      if (used.stream().anyMatch(other -> isPart(other, facade))) {
        uses.forEach((user, usedByUser) -> {
          if (isPart(user, facade) && usedByUser.contains(facade)) {
            breaches.add(user + " names " + facade + ", a facade of its own parts");
          }
        });
      }
    });
    return breaches;
  }

  private boolean isPart(String name, String facade) {
    return name.startsWith(facade + ".") && owners.get(name).equals(owners.get(facade));
  }

  private Set<String> reachableFrom(String start) {
    Set<String> reached = new TreeSet<>();
    List<String> open = new ArrayList<>(uses.get(start));
    while (!open.isEmpty()) {
      String next = open.removeLast();
      if (reached.add(next)) {
        open.addAll(uses.get(next));
      }
    }
    return reached;
  }

  private static void addFullNames(
      String source, Set<String> types, Map<String, Set<String>> uses) {
    Matcher declared = PACKAGE.matcher(source);
    if (declared.find() && uses.containsKey(declared.group(1))) {
      Matcher names = FULL_NAME.matcher(source);
      while (names.find()) {
        if (types.contains(names.group())) {
          uses.get(declared.group(1)).add(names.group(1));
        }
      }
    }
  }

  private static String packageOf(String type) {
    return type.substring(0, Math.max(type.lastIndexOf('.'), 0));
  }
}
