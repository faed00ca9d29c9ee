package org.terrace.distribution.rules;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.Pom;

/**
 * The rule that a project file declares what the module's classes name, and nothing else.
 *
 * <p>Of modules of the house {@link Arrows} tells what is used and undeclared; of libraries, this.
 */
final class Dependencies {
  private final House house;
  private final Libraries libraries;
  private final DependencyExceptions exceptions;
  private final Map<String, Set<String>> classesOfHouse = new TreeMap<>();
  private final List<String> breaches = new ArrayList<>();

  private Dependencies(House house, Libraries libraries, DependencyExceptions exceptions) {
    this.house = house;
    this.libraries = libraries;
    this.exceptions = exceptions;
    for (Module module : house.modules()) {
      classesOfHouse.put(module.name(), module.mainUses().keySet());
      classesOfHouse.put(module.name() + ":tests", module.testUses().keySet());
    }
  }

  static List<String> breachesOf(House house, Libraries libraries, DependencyExceptions exceptions)
      throws IOException {
    var rule = new Dependencies(house, libraries, exceptions);
    for (Module module : house.modules()) {
      rule.check(module);
    }
    exceptions
        .unneeded()
        .forEach(line -> rule.breaches.add("dependencies.txt: nothing needs '" + line + "'"));
    return rule.breaches;
  }

  private void check(Module module) throws IOException {
    Set<String> namedByMain = named(module.mainUses());
    Set<String> namedByTests = named(module.testUses());
    Set<String> coveredInMain = new HashSet<>();
    Set<String> coveredInTests = new HashSet<>();
    List<Pom.Dependency> declared = new ArrayList<>(house.pom().dependencies());
    declared.addAll(module.pom().dependencies());
    for (String brought : house.broughtTo(module)) {
      for (Pom.Dependency library : house.module(brought).orElseThrow().pom().dependencies()) {
        if (!library.isForTestsOnly() && !library.optional()) {
          coveredInTests.addAll(classesOf(module, library));
          cover(library, namedByTests, coveredInTests);
        }
      }
    }
    for (Pom.Dependency dependency : declared) {
      if (dependency.isForTestsOnly() && isBroughtToMain(module, dependency)) {
        breaches.add(
            "%s declares %s for tests, which takes it from its main code"
                .formatted(module.name(), dependency.shortName()));
      }
      Set<String> classes = classesOf(module, dependency);
      coveredInTests.addAll(classes);
      cover(dependency, namedByTests, coveredInTests);
      Set<String> users = namedByTests;
      if (!dependency.isForTestsOnly()) {
        coveredInMain.addAll(classes);
        cover(dependency, namedByMain, coveredInMain);
        users = namedByMain;
      }
      boolean inherited = house.pom().dependencies().contains(dependency);
      if (!inherited
          && users.stream().noneMatch(classes::contains)
          && !exceptions.mayBeUnnamed(module.name(), dependency.shortName())) {
        breaches.add(module.name() + " declares " + dependency.shortName() + " and never names it");
      }
    }
    reportUndeclared(module.name(), module.mainUses(), coveredInMain);
    reportUndeclared("tests of " + module.name(), module.testUses(), coveredInTests);
  }

  private boolean isBroughtToMain(Module module, Pom.Dependency dependency) {
    Set<String> brought = house.broughtTo(module);
    return brought.contains(dependency.shortName())
        || brought.stream()
            .flatMap(name -> house.module(name).orElseThrow().pom().dependencies().stream())
            .anyMatch(library ->
                library.shortName().equals(dependency.shortName())
                    && library.scope().isEmpty()
                    && !library.optional());
  }

  private void cover(Pom.Dependency dependency, Set<String> named, Set<String> covered) {
    for (String type : named) {
      if (exceptions.brings(dependency.shortName(), type)) {
        covered.add(type);
      }
    }
  }

  private Set<String> classesOf(Module module, Pom.Dependency dependency) throws IOException {
    Set<String> classes = classesOfHouse.get(dependency.shortName());
    return classes != null ? classes : libraries.classesOf(module.pom(), dependency);
  }

  private void reportUndeclared(String who, Map<String, Set<String>> uses, Set<String> covered) {
    Map<String, String> firstUse = new TreeMap<>();
    uses.forEach((user, types) -> {
      for (String type : types) {
        if (type.contains(".")
            && !covered.contains(type)
            && !libraries.isOfTheJdk(type)
            && classesOfHouse.values().stream().noneMatch(own -> own.contains(type))) {
          firstUse.putIfAbsent(type.substring(0, type.lastIndexOf('.')), user + " names " + type);
        }
      }
    });
    firstUse.forEach((part, example) ->
        breaches.add(who + " uses " + part + ", of no declared library: " + example));
  }

  private static Set<String> named(Map<String, Set<String>> uses) {
    Set<String> named = new HashSet<>();
    uses.values().forEach(named::addAll);
    return named;
  }
}
