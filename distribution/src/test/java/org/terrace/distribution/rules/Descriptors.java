package org.terrace.distribution.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The packages that the modules of a house export, and those that they open to named others ({@code
 * exports} and {@code opens} with {@code to}), read from their descriptors. No class file but the
 * descriptor's shows them, and the compiler takes a name that is no module's.
 */
final class Descriptors {
  private static final Pattern NAME = Pattern.compile("\\bmodule ([\\w.]+)\\s*\\{");
  private static final Pattern OPENED =
      Pattern.compile("\\b(exports|opens)\\s+([\\w.]+)\\s+to\\s+([\\w.\\s,]+);");

  private static final Pattern EXPORTED = Pattern.compile("\\bexports\\s+([\\w.]+)\\s*;");

  private final House house;
  private final List<Opened> opened = new ArrayList<>();

  private record Opened(Module owner, String directive, String packageName, String to) {
    @Override
    public String toString() {
      return "the descriptor of " + owner.folder() + " opens " + packageName + " to " + to;
    }
  }

  private Descriptors(House house) throws IOException {
    this.house = house;
    for (Module module : house.modules()) {
      Path descriptor = descriptorOf(module);
      if (Files.exists(descriptor)) {
        Matcher each = OPENED.matcher(Files.readString(descriptor));
        while (each.find()) {
          for (String to : each.group(3).strip().split("\\s*,\\s*", -1)) {
            opened.add(new Opened(module, each.group(1), each.group(2), to));
          }
        }
      }
    }
  }

  static Descriptors of(House house) throws IOException {
    return new Descriptors(house);
  }

  /**
   * The sentences that name packages opened to modules that do not declare their owner, or that are
   * none; what a library may look into ({@code opens}) is no use of it.
   */
  List<String> unused() throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Opened each : opened) {
      Optional<Module> to = named(each.to());
      if (to.isEmpty()) {
        if (each.directive().equals("exports")) {
          breaches.add(each + ", which is no module of the house");
        }
      } else if (to.get().pom().dependencies().stream()
          .noneMatch(used -> used.shortName().equals(each.owner().name()))) {
        breaches.add(each + ", which does not use it");
      }
    }
    return breaches;
  }

  /**
   * The sentences that name packages exported without need: to a module that names no class of it,
   * or, beyond the first that a module exports to all, to nobody who names one.
   */
  List<String> exportedWithoutNeed() throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Opened each : opened) {
      Optional<Module> to = named(each.to());
      if (each.directive().equals("exports")
          && to.isPresent()
          && !names(to.get().mainUses(), each.packageName())
          && !names(to.get().testUses(), each.packageName())) {
        breaches.add(each + ", which names no class of it");
      }
    }
    for (Module module : house.modules()) {
      if (Files.exists(descriptorOf(module))) {
        Matcher exported = EXPORTED.matcher(Files.readString(descriptorOf(module)));
        exported
            .results()
            .skip(1)
            .map(result -> result.group(1))
            .filter(name ->
                house.modules().stream()
                    .noneMatch(other -> !other.equals(module) && names(other.mainUses(), name)))
            .forEach(name ->
                breaches.add(
                    "the descriptor of %s exports %s, of which no other module names a class"
                        .formatted(module.folder(), name)));
      }
    }
    return breaches;
  }

  private static boolean names(Map<String, Set<String>> uses, String packageName) {
    return uses.values().stream()
        .flatMap(Set::stream)
        .anyMatch(type ->
            type.startsWith(packageName + ".") && type.indexOf('.', packageName.length() + 1) < 0);
  }

  /** The sentences that name packages of some wings opened to modules of others. */
  List<String> namedAbove(Set<String> wings, Set<String> above) throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Opened each : opened) {
      Optional<Module> to = named(each.to());
      if (wings.contains(each.owner().wing())
          && to.isPresent()
          && above.contains(to.get().wing())) {
        breaches.add(each + " of " + to.get().wing());
      }
    }
    return breaches;
  }

  /** The module of that name: by its descriptor, or by the artifact that stands for one. */
  private Optional<Module> named(String moduleName) throws IOException {
    for (Module module : house.modules()) {
      Path descriptor = descriptorOf(module);
      if (Files.exists(descriptor)) {
        Matcher name = NAME.matcher(Files.readString(descriptor));
        if (name.find() && name.group(1).equals(moduleName)) {
          return Optional.of(module);
        }
      } else if (moduleName.equals("org.terrace." + module.name().replace('-', '.'))) {
        return Optional.of(module);
      }
    }
    return Optional.empty();
  }

  private static Path descriptorOf(Module module) {
    return module.root().resolve(module.folder()).resolve("src/main/java/module-info.java");
  }
}
