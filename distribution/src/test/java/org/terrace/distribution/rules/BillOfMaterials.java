package org.terrace.distribution.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.Pom;

/**
 * The rule that {@code terrace-bom} lists the libraries: the modules of the rooms that users may
 * depend on, all of them and no other, in the version that is built.
 */
final class BillOfMaterials {
  /** The folders whose modules are libraries. */
  private static final List<String> ROOMS =
      List.of("core", "databases", "runtime/", "observatory/");

  private BillOfMaterials() {}

  /** Whether users may depend on a module. */
  static boolean isLibrary(Module module) {
    return ROOMS.stream()
        .anyMatch(room ->
            room.endsWith("/") ? module.folder().startsWith(room) : module.folder().equals(room));
  }

  /** The sentences that name the breaches of the rule. */
  static List<String> breaches(House house, Pom bom) {
    Set<String> libraries = new TreeSet<>();
    for (Module module : house.modules()) {
      if (isLibrary(module)) {
        libraries.add(module.pom().artifact());
      }
    }
    List<String> breaches = new ArrayList<>();
    Set<String> listed = new TreeSet<>();
    String version = house.pom().properties().get("project.version");
    for (Pom.Dependency dependency : bom.managed()) {
      listed.add(dependency.artifact());
      if (!bom.resolve(dependency.version()).equals(version)) {
        breaches.add(
            "bom/pom.xml: " + dependency.artifact() + " is not in the version " + version + ".");
      }
      if (!libraries.contains(dependency.artifact())) {
        breaches.add("bom/pom.xml lists " + dependency.artifact() + ", which is no library.");
      }
    }
    for (String library : libraries) {
      if (!listed.contains(library)) {
        breaches.add("bom/pom.xml does not list the library " + library + ".");
      }
    }
    return breaches;
  }
}
