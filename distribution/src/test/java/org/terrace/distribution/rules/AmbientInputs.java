package org.terrace.distribution.rules;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.distribution.rules.house.ClassFiles;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The rule that main code reads no clock and draws no random number by itself: time comes in
 * through the time source and randomness through a seed, so that a simulator can give both. Test
 * code draws none by itself either: a second try would be another test. Nor does it sleep or spin
 * for something: it waits by {@code Await}, which knows a limit, or for another thread of its own
 * by {@code OtherThread}, which reads no clock. Main code starts processes by {@code Keeper},
 * {@code ChildProcess} or {@code ShortCommand} alone, so that none outlives the one that started
 * it.
 *
 * <p>Exceptions are lines {@code CLASS: reason}, and for a class that starts processes {@code CLASS
 * starts: reason}; neither is one of the other kind, and one that is not needed any more is a
 * breach. A {@code SecureRandom} makes secrets and identities, which nobody shall foresee, and is
 * none.
 */
final class AmbientInputs {
  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalTime.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.util.Date.<init>()V",
          "java.time.Clock.system",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone");

  private static final Set<String> RANDOMNESS =
      Set.of(
          "java.lang.Math.random",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.Collections.shuffle(Ljava/util/List;)V",
          "java.util.random.RandomGenerator.getDefault",
          "java.util.Random.<init>()V",
          "java.util.SplittableRandom.<init>()V");

  private static final Set<String> WAITS =
      Set.of(
          "java.lang.Thread.sleep",
          "java.lang.Thread.onSpinWait",
          "java.util.concurrent.TimeUnit.sleep");

  private static final Set<String> STARTS =
      Set.of(
          "java.lang.ProcessBuilder.start",
          "java.lang.ProcessBuilder.startPipeline",
          "java.lang.Runtime.exec");

  private static final String STARTING = " starts";

  private static final Set<String> BARRED_IN_MAIN = union(CLOCKS, RANDOMNESS);

  private static final Set<String> BARRED_IN_TESTS = union(RANDOMNESS, WAITS);

  private AmbientInputs() {}

  private static Set<String> union(Set<String> one, Set<String> other) {
    return Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet());
  }

  /**
   * The classes that draw without a seed, those of main code that read a clock or start a process,
   * and those of tests that sleep or spin, and are no exception.
   */
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
      Path target = house.root().resolve(module.folder()).resolve("target");
      Map<String, Set<String>> callers = below(target.resolve("classes"), BARRED_IN_MAIN, "");
      callers.putAll(below(target.resolve("classes"), STARTS, STARTING));
      callers.putAll(below(target.resolve("test-classes"), BARRED_IN_TESTS, ""));
      for (Map.Entry<String, Set<String>> found : callers.entrySet()) {
        String type = found.getKey().replaceFirst("\\$[^ ]*", "");
        if (reasons.containsKey(type)) {
          needed.add(type);
        } else {
          breaches.add(
              found.getKey().replace(STARTING, "")
                  + " calls "
                  + String.join(", ", found.getValue()));
        }
      }
    }
    reasons.keySet().stream()
        .filter(type -> !needed.contains(type))
        .forEach(type -> breaches.add(type + " is an exception that nothing needs"));
    return breaches;
  }

  /** The calls of these methods by class, each with the kind of its exception behind its name. */
  private static Map<String, Set<String>> below(Path folder, Set<String> methods, String kind)
      throws IOException {
    Map<String, Set<String>> callers = new LinkedHashMap<>();
    for (ClassModel model : ClassFiles.below(folder)) {
      Set<String> calls = calls(model, methods);
      String name = model.thisClass().asInternalName().replace('/', '.');
      if (!calls.isEmpty() && !name.contains(".jmh_generated.")) {
        callers.put(name + kind, calls);
      }
    }
    return callers;
  }

  private static Set<String> calls(ClassModel model, Set<String> methods) {
    Set<String> calls = new TreeSet<>();
    for (var entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member) {
        String name =
            member.owner().asInternalName().replace('/', '.') + "." + member.name().stringValue();
        if (methods.contains(name) || methods.contains(name + member.type().stringValue())) {
          calls.add(name);
        }
      }
    }
    return calls;
  }
}
