package org.terrace.distribution.rules.testing;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.distribution.rules.house.ClassFiles;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The rule that every test is run. Surefire runs the classes whose names end with {@code Test} and
 * says nothing of others; of those inside of a class, JUnit runs the ones that are {@code Nested}.
 */
public final class UnrunTests {
  private static final String NAME = "Test";

  /** Those that have JUnit run classes inside of them, to see who waits and for how long. */
  private static final Set<String> RUN_THEIR_OWN =
      Set.of("org.terrace.testing.RealProcessesLockTest", "org.terrace.testing.TimeLimitTest");

  /** The facts that the rule needs of a class of test code. */
  private record TestClass(String parent, boolean isAbstract, boolean hasTests, boolean isNested) {}

  private UnrunTests() {}

  /** The sentences that name classes with tests that nothing runs. */
  static List<String> breachesOf(House house) throws IOException {
    Map<String, TestClass> classes = new TreeMap<>();
    for (Module module : house.modules()) {
      read(house.root().resolve(module.folder()).resolve("target/test-classes"), classes);
    }
    List<String> breaches = new ArrayList<>();
    for (String name : classes.keySet()) {
      boolean isRun = isRun(name, classes) || RUN_THEIR_OWN.contains(name.split("\\$", 2)[0]);
      if (classes.get(name).hasTests() && !isRun) {
        breaches.add(name + " has tests that nothing runs: " + remedy(name, classes.get(name)));
      }
    }
    return breaches;
  }

  private static String remedy(String name, TestClass test) {
    if (name.contains("$")) {
      return "mark it @Nested";
    }
    return test.isAbstract() ? "no class that is run extends it" : "its name must end with " + NAME;
  }

  private static boolean isRun(String name, Map<String, TestClass> classes) {
    TestClass test = classes.get(name);
    if (!test.isAbstract()) {
      return name.contains("$") ? test.isNested() : name.endsWith(NAME);
    }
    return classes.entrySet().stream()
        .anyMatch(each -> each.getValue().parent().equals(name) && isRun(each.getKey(), classes));
  }

  private static void read(Path folder, Map<String, TestClass> classes) throws IOException {
    for (ClassModel model : ClassFiles.below(folder)) {
      classes.put(
          dotted(model.thisClass().asInternalName()),
          new TestClass(
              model.superclass().map(type -> dotted(type.asInternalName())).orElse(""),
              model.flags().has(AccessFlag.ABSTRACT),
              model.methods().stream().anyMatch(RealProcesses::isTest),
              isNested(model)));
    }
  }

  private static boolean isNested(ClassModel model) {
    return model
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(RuntimeVisibleAnnotationsAttribute::annotations)
        .orElse(List.of())
        .stream()
        .anyMatch(mark -> mark.className().stringValue().equals("Lorg/junit/jupiter/api/Nested;"));
  }

  private static String dotted(String internalName) {
    return internalName.replace('/', '.');
  }
}
