package org.terrace.distribution.rules.house;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The project as the rules see it: the modules that the root project builds, in its order.
 *
 * <p>A rule takes a house and gives the sentences that name what breaks it, none if it holds. So
 * the same rule is asked of the project and of a small house in which something was broken on
 * purpose.
 */
public record House(Path root, Pom pom, List<Module> modules) {

  public static House read(Path root) throws IOException {
    Pom pom = Pom.read(root.resolve("pom.xml"));
    List<Module> modules = new ArrayList<>();
    for (String folder : pom.modules()) {
      modules.add(Module.read(root, folder));
    }
    return new House(root, pom, List.copyOf(modules));
  }

  /**
   * The sentences that name modules whose classes the rules cannot read, or that were changed since
   * they were compiled: a rule that reads old classes judges another tree.
   */
  public List<String> notCompiled() throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Module module : modules) {
      List<Path> sources = module.notCompiled();
      if (!sources.isEmpty()) {
        breaches.add(
            "%s has %d sources newer than their classes, %s first: build all modules first (./build, or ./mvnw test-compile at the root)"
                .formatted(module.folder(), sources.size(), root.relativize(sources.getFirst())));
      }
    }
    return breaches;
  }

  /** By class of main code, the short name of the artifact that holds it. */
  public Map<String, String> ownersOfMainClasses() {
    Map<String, String> owners = new HashMap<>();
    for (Module module : modules) {
      module.mainUses().keySet().forEach(type -> owners.put(type, module.name()));
    }
    return owners;
  }

  /** By class of test code, the short name of the artifact that holds it, {@code :tests} behind. */
  public Map<String, String> ownersOfTestClasses() {
    Map<String, String> owners = new HashMap<>();
    for (Module module : modules) {
      module.testUses().keySet().forEach(type -> owners.put(type, module.name() + ":tests"));
    }
    return owners;
  }

  /**
   * The modules that main code of a module has on its path because others that it declares bring
   * them, and those modules' own; by short name.
   */
  public Set<String> broughtTo(Module user) {
    Set<String> brought = new TreeSet<>();
    List<Module> open = new ArrayList<>(List.of(user));
    while (!open.isEmpty()) {
      Module next = open.removeLast();
      for (Pom.Dependency dependency : next.pom().dependencies()) {
        boolean passedOn = next.equals(user) || !dependency.optional();
        if (passedOn && !dependency.isForTestsOnly()) {
          module(dependency.shortName())
              .filter(module -> brought.add(module.name()))
              .ifPresent(open::add);
        }
      }
    }
    return brought;
  }

  public Optional<Module> module(String shortName) {
    return modules.stream().filter(module -> module.name().equals(shortName)).findFirst();
  }

  public boolean hasModule(String shortName) {
    return module(shortName).isPresent();
  }
}
