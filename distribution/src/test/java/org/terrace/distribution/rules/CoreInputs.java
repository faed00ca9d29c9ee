package org.terrace.distribution.rules;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.terrace.distribution.rules.house.ClassFiles;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The rule that a pure core goes by what it is given alone: it names no source of time, no group,
 * thread, lock, socket, channel or process, and nothing whose order is another one in each process.
 *
 * <p>A core is a line, which is a package or a class of one; a line that is neither is a breach.
 * The sets and maps of {@code Set.of} and its kin, which are in the order of a number drawn when
 * the process begins, are barred unless they are empty, as are hash codes of identities.
 */
final class CoreInputs {
  private static final Pattern TYPES =
      Pattern.compile(
          "org\\.terrace\\.core\\.TimeSource"
              + "|org\\.terrace\\.groups\\.Group"
              + "|java\\.lang\\.(Thread|Process|ProcessBuilder|Runtime|ScopedValue)"
              + "|java\\.lang\\.ThreadLocal"
              + "|java\\.util\\.(IdentityHashMap|WeakHashMap|Timer)"
              + "|java\\.util\\.concurrent\\.locks\\..*"
              + "|java\\.util\\.concurrent\\.\\w*(Executor|ExecutorService|Executors|Future)"
              + "|java\\.util\\.concurrent\\.(CountDownLatch|Semaphore|\\w*BlockingQueue)"
              + "|java\\.net\\.\\w*Socket"
              + "|java\\.nio\\.channels\\..*");

  private static final Pattern METHODS =
      Pattern.compile(
          "java\\.util\\.(Set|Map)\\.(of\\(.+\\)|ofEntries.*|copyOf.*)"
              + "|java\\.util\\.stream\\.Collectors\\.toUnmodifiable(Set|Map).*"
              + "|java\\.lang\\.System\\.identityHashCode.*"
              + "|java\\.lang\\.System\\.(getProperty|getenv).*");

  private CoreInputs() {}

  /** The classes of cores that name what nobody gives them, and the lines that are no cores. */
  static List<String> breachesOf(House house, List<String> lines) throws IOException {
    List<String> cores = lines.stream().filter(line -> !line.startsWith("#")).toList();
    List<String> breaches = new ArrayList<>();
    Set<String> found = new TreeSet<>();
    for (Module module : house.modules()) {
      Path classes = house.root().resolve(module.folder()).resolve("target/classes");
      for (ClassModel model : ClassFiles.below(classes)) {
        String type = model.thisClass().asInternalName().replace('/', '.');
        List<String> ofType = cores.stream().filter(core -> isOf(type, core)).toList();
        found.addAll(ofType);
        Set<String> named = ofType.isEmpty() ? Set.of() : named(model);
        if (!named.isEmpty()) {
          breaches.add(type + " is of a core and names " + String.join(", ", named));
        }
      }
    }
    cores.stream()
        .filter(core -> !found.contains(core))
        .forEach(core -> breaches.add(core + " is no package and no class"));
    return breaches;
  }

  private static boolean isOf(String type, String core) {
    String outer = type.replaceFirst("\\$.*", "");
    return outer.equals(core)
        || (outer.startsWith(core + ".") && outer.indexOf('.', core.length() + 1) < 0);
  }

  private static Set<String> named(ClassModel model) {
    Set<String> named = new TreeSet<>();
    for (var entry : model.constantPool()) {
      if (entry instanceof ClassEntry type) {
        String name = type.asInternalName().replace('/', '.').replaceFirst("\\$.*", "");
        if (TYPES.matcher(name).matches()) {
          named.add(name);
        }
      } else if (entry instanceof MemberRefEntry member) {
        String name =
            member.owner().asInternalName().replace('/', '.') + "." + member.name().stringValue();
        String parameters = member.type().stringValue().replaceFirst("\\).*", ")");
        if (METHODS.matcher(name + parameters).matches()) {
          named.add(name);
        }
      }
    }
    return named;
  }
}
