package org.terrace.distribution.rules.testing;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.distribution.rules.house.ClassFiles;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.testing.Depth;

/**
 * The rule that whatever the short build leaves out has a stand-in there: {@code long-tests.txt}
 * names for each test class and each test method with the tag {@code long} the tests that {@code
 * ./build} runs of the same mechanism. Whether they are of the same mechanism is for the reader to
 * judge; that there are such, and that they are not left out themselves, is not.
 */
public final class LongTests {
  private static final String LINE = "(\\S+): (\\S+(?:, \\S+)*)";

  /**
   * The facts that the rule needs of a class of test code.
   *
   * @param methods by the name of each method that is a test, whether it is tagged
   */
  private record TestClass(
      String parent, boolean isAbstract, boolean isTagged, Map<String, Boolean> methods) {}

  private final Map<String, TestClass> classes = new TreeMap<>();
  private final Map<String, List<String>> standIns = new TreeMap<>();

  /**
   * Reads the tests of a house, and the list.
   *
   * @throws IllegalArgumentException if a line of the list cannot be read, with the line
   */
  public LongTests(House house, List<String> list) throws IOException {
    for (Module module : house.modules()) {
      read(house.root().resolve(module.folder()).resolve("target/test-classes"));
    }
    for (String line : list) {
      if (line.matches(LINE)) {
        String[] sides = line.split(": ", 2);
        if (standIns.put(sides[0], List.of(sides[1].split(", ", -1))) != null) {
          throw new IllegalArgumentException("long-tests.txt names twice: " + sides[0]);
        }
      } else if (!line.isBlank() && !line.startsWith("#")) {
        throw new IllegalArgumentException(
            "long-tests.txt: expected 'LONG: STAND-IN, ...', where each is CLASS or CLASS#METHOD: "
                + line);
      }
    }
  }

  /** The tests that are left out: each tagged class, and each tagged method of another. */
  public List<String> tagged() {
    List<String> tagged = new ArrayList<>();
    classes.forEach((name, test) -> {
      if (test.isTagged()) {
        tagged.add(name);
      }
      test.methods()
          .forEach((method, isTagged) -> {
            if (isTagged) {
              tagged.add(name + "#" + method);
            }
          });
    });
    return tagged;
  }

  /** The sentences that name tests about which the list is wrong or silent. */
  List<String> breaches() {
    List<String> breaches = new ArrayList<>();
    Set<String> tagged = new TreeSet<>(tagged());
    for (String test : tagged) {
      if (!standIns.containsKey(test)) {
        breaches.add(
            test
                + " is tagged "
                + Depth.LONG
                + ": name in long-tests.txt what ./build runs in its place");
      }
    }
    standIns.forEach((test, those) -> {
      if (!tagged.contains(test)) {
        breaches.add("long-tests.txt: nothing needs the line of " + test + ", which is not tagged");
      }
      for (String standIn : those) {
        if (!isRunInTheShortBuild(standIn)) {
          breaches.add(
              "long-tests.txt: "
                  + standIn
                  + " stands in for "
                  + test
                  + ", and ./build runs none such");
        }
      }
    });
    return breaches;
  }

  /** Whether there is such a test, a class or one method of it, and {@code ./build} runs it. */
  boolean isRunInTheShortBuild(String test) {
    String[] parts = test.split("#", 2);
    String name = parts[0];
    TestClass own = classes.get(name);
    if (own == null || own.isAbstract() || isLeftOut(name)) {
      return false;
    }
    Map<String, Boolean> methods = new HashMap<>();
    for (String each = name; classes.containsKey(each); each = classes.get(each).parent()) {
      classes.get(each).methods().forEach(methods::putIfAbsent);
    }
    return parts.length == 1
        ? methods.containsValue(false)
        : Boolean.FALSE.equals(methods.get(parts[1]));
  }

  /** Whether a class is tagged, or one around it or one that it inherits from. */
  private boolean isLeftOut(String name) {
    for (String each = name; classes.containsKey(each); each = classes.get(each).parent()) {
      if (classes.get(each).isTagged()) {
        return true;
      }
    }
    int nested = name.lastIndexOf('$');
    return nested > 0 && isLeftOut(name.substring(0, nested));
  }

  private void read(Path folder) throws IOException {
    for (ClassModel model : ClassFiles.below(folder)) {
      Map<String, Boolean> methods = new TreeMap<>();
      for (MethodModel method : model.methods()) {
        if (RealProcesses.isTest(method)) {
          methods.put(method.methodName().stringValue(), isTagged(method));
        }
      }
      classes.put(
          dotted(model.thisClass().asInternalName()),
          new TestClass(
              model.superclass().map(type -> dotted(type.asInternalName())).orElse(""),
              model.flags().has(AccessFlag.ABSTRACT),
              isTagged(model),
              methods));
    }
  }

  private static boolean isTagged(AttributedElement element) {
    Set<String> tags = new HashSet<>();
    element
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(RuntimeVisibleAnnotationsAttribute::annotations)
        .orElse(List.of())
        .forEach(annotation -> addTags(annotation, tags));
    return tags.contains(Depth.LONG);
  }

  /** Adds the name that a tag gives, or those of the tags in one annotation around them. */
  private static void addTags(Annotation annotation, Set<String> tags) {
    if (!annotation.className().stringValue().matches("Lorg/junit/jupiter/api/Tags?;")) {
      return;
    }
    for (AnnotationElement element : annotation.elements()) {
      switch (element.value()) {
        case AnnotationValue.OfString name -> tags.add(name.stringValue());
        case AnnotationValue.OfArray several -> {
          for (AnnotationValue value : several.values()) {
            if (value instanceof AnnotationValue.OfAnnotation inner) {
              addTags(inner.annotation(), tags);
            }
          }
        }
        default -> {}
      }
    }
  }

  private static String dotted(String internalName) {
    return internalName.replace('/', '.');
  }
}
