package org.terrace.distribution.rules;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rule that main code reads no clock and draws no random number by itself: time comes in
 * through the time source and randomness through a seed, so that a simulator can give both.
 *
 * <p>Exceptions are lines {@code CLASS: reason}; one that is not needed any more is a breach. A
 * {@code SecureRandom} makes secrets and identities, which nobody shall foresee, and is none.
 */
final class AmbientInputs {
  private static final Set<String> METHODS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.time.Instant.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.lang.Math.random",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.random.RandomGenerator.getDefault",
          "java.util.Random.<init>()V",
          "java.util.SplittableRandom.<init>()V");

  private AmbientInputs() {}

  /** The classes of main code that read a clock or draw without a seed, and are no exception. */
  static List<String> breachesOf(House house, List<String> exceptions) throws IOException {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String line : exceptions) {
      int colon = line.indexOf(": ");
      if (colon > 0 && !line.startsWith("#")) {
        reasons.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    List<String> breaches = new ArrayList<>();
    Set<String> needed = new TreeSet<>();
    for (Module module : house.modules()) {
      Path folder = house.root().resolve(module.folder()).resolve("target/classes");
      for (Map.Entry<String, Set<String>> found : below(folder).entrySet()) {
        String type = found.getKey().replaceFirst("\\$.*", "");
        if (reasons.containsKey(type)) {
          needed.add(type);
        } else {
          breaches.add(found.getKey() + " calls " + String.join(", ", found.getValue()));
        }
      }
    }
    reasons.keySet().stream()
        .filter(type -> !needed.contains(type))
        .forEach(type -> breaches.add(type + " is an exception that nothing needs"));
    return breaches;
  }

  private static Map<String, Set<String>> below(Path folder) throws IOException {
    Map<String, Set<String>> callers = new LinkedHashMap<>();
    if (!Files.isDirectory(folder)) {
      return callers;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
        ClassModel model = ClassFile.of().parse(file);
        Set<String> calls = calls(model);
        String name = model.thisClass().asInternalName().replace('/', '.');
        if (!calls.isEmpty() && !name.contains(".jmh_generated.")) {
          callers.put(name, calls);
        }
      }
    }
    return callers;
  }

  private static Set<String> calls(ClassModel model) {
    Set<String> calls = new TreeSet<>();
    for (var entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member) {
        String name =
            member.owner().asInternalName().replace('/', '.') + "." + member.name().stringValue();
        if (METHODS.contains(name) || METHODS.contains(name + member.type().stringValue())) {
          calls.add(name);
        }
      }
    }
    return calls;
  }
}
