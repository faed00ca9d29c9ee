package org.terrace.distribution.rules;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The project as the rules see it: the modules that the root project builds, in its order.
 *
 * <p>A rule takes a house and gives the sentences that name what breaks it, none if it holds. So
 * the same rule is asked of the project and of a small house in which something was broken on
 * purpose.
 */
record House(Path root, Pom pom, List<Module> modules) {

  static House read(Path root) throws IOException {
    Pom pom = Pom.read(root.resolve("pom.xml"));
    List<Module> modules = new ArrayList<>();
    for (String folder : pom.modules()) {
      modules.add(Module.read(root, folder));
    }
    return new House(root, pom, List.copyOf(modules));
  }

  /** By class of main code, the short name of the artifact that holds it. */
  Map<String, String> ownersOfMainClasses() {
    Map<String, String> owners = new HashMap<>();
    for (Module module : modules) {
      module.mainUses().keySet().forEach(type -> owners.put(type, module.name()));
    }
    return owners;
  }

  /** By class of test code, the short name of the artifact that holds it, {@code :tests} behind. */
  Map<String, String> ownersOfTestClasses() {
    Map<String, String> owners = new HashMap<>();
    for (Module module : modules) {
      module.testUses().keySet().forEach(type -> owners.put(type, module.name() + ":tests"));
    }
    return owners;
  }

  boolean hasModule(String shortName) {
    return modules.stream().anyMatch(module -> module.name().equals(shortName));
  }
}
