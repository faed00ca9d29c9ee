package org.terrace.distribution.rules.testing;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.distribution.rules.house.ClassFiles;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The rule that a test method in a class tagged {@code real-processes} reaches a process, a socket
 * or a clock itself: the tag is the class's, and a pure method in it would run again, too.
 *
 * <p>A method reaches those it calls and all those of the classes it makes objects of. What
 * surrounds each test (constructors, fields, methods before and after it) counts for all of a
 * class. So a method may pass that is pure; one that is named is.
 */
public final class PureMethods {
  private static final String CONSTRUCTOR = "<init>";
  private static final String INITIALIZER = "<clinit>()V";

  /** A method that is called: its class, and its name with its descriptor. */
  private record Call(String owner, String name) {
    String simpleName() {
      return name.substring(0, name.indexOf('('));
    }
  }

  private record Code(
      boolean isTest, boolean surroundsTests, boolean isAbstract, List<Call> calls) {}

  private record Type(
      List<String> parents, boolean isTagged, boolean isAbstract, Map<String, Code> methods) {}

  private final Map<String, Type> types = new TreeMap<>();
  private final Map<String, List<String>> children = new HashMap<>();

  private PureMethods(House house) throws IOException {
    for (Module module : house.modules()) {
      Path target = house.root().resolve(module.folder()).resolve("target");
      read(target.resolve("classes"));
      read(target.resolve("test-classes"));
    }
    types.forEach((name, type) -> {
      for (String parent : type.parents()) {
        children.computeIfAbsent(parent, key -> new ArrayList<>()).add(name);
      }
    });
  }

  static List<String> breachesOf(House house) throws IOException {
    return new PureMethods(house).breaches();
  }

  private List<String> breaches() {
    List<String> breaches = new ArrayList<>();
    types.forEach((name, type) -> {
      Set<String> own = lineage(name);
      if (!type.isAbstract() && own.stream().anyMatch(each -> types.get(each).isTagged())) {
        List<Call> around = new ArrayList<>();
        Map<String, Call> tests = new LinkedHashMap<>();
        for (String each : own) {
          types
              .get(each)
              .methods()
              .forEach((method, code) -> {
                if (code.surroundsTests()) {
                  around.add(new Call(each, method));
                }
                if (code.isTest() && !isOutside(name, each)) {
                  tests.putIfAbsent(method, new Call(each, method));
                }
              });
        }
        for (Call test : tests.values()) {
          if (!reaches(test, around, own)) {
            breaches.add(
                "%s.%s is pure, and would run again with its class's tag: give it a class without"
                    .formatted(name, test.simpleName()));
          }
        }
      }
    });
    return breaches;
  }

  /** The class, those it inherits from and those around it, as far as the house has them. */
  private Set<String> lineage(String name) {
    Set<String> lineage = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      String each = open.removeFirst();
      if (types.containsKey(each) && lineage.add(each)) {
        open.addAll(types.get(each).parents());
        if (each.contains("$")) {
          open.add(each.substring(0, each.lastIndexOf('$')));
        }
      }
    }
    return lineage;
  }

  /** Whether a class only stands around another one, so that its tests are its own. */
  private static boolean isOutside(String name, String other) {
    return name.startsWith(other + "$");
  }

  private boolean reaches(Call test, List<Call> around, Set<String> own) {
    Set<Call> seen = new HashSet<>(around);
    seen.add(test);
    Deque<Call> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      Call call = open.removeFirst();
      if (RealProcesses.isReal(call.owner(), call.simpleName())) {
        return true;
      }
      for (Call next : behind(call, own)) {
        if (seen.add(next)) {
          open.addLast(next);
        }
      }
    }
    return false;
  }

  private List<Call> behind(Call call, Set<String> own) {
    Type owner = types.get(call.owner());
    if (owner == null || RealProcesses.isClockItself(call.owner())) {
      return List.of();
    }
    List<Call> behind = new ArrayList<>();
    behind.add(new Call(call.owner(), INITIALIZER));
    boolean makesObject = call.simpleName().equals(CONSTRUCTOR);
    if (makesObject && !own.contains(call.owner())) {
      owner.methods().keySet().forEach(method -> behind.add(new Call(call.owner(), method)));
    }
    Code code = owner.methods().get(call.name());
    if (code != null) {
      behind.addAll(code.calls());
    }
    if (code == null || code.isAbstract()) {
      for (String child : children.getOrDefault(call.owner(), List.of())) {
        behind.add(new Call(child, call.name()));
      }
    }
    // One that is inherited, or, as all of the test's classes are one object, overridden.
    owner.parents().forEach(parent -> behind.add(new Call(parent, call.name())));
    if (own.contains(call.owner()) && !makesObject) {
      own.forEach(each -> behind.add(new Call(each, call.name())));
    }
    return behind;
  }

  private void read(Path folder) throws IOException {
    for (ClassModel model : ClassFiles.below(folder)) {
      types.put(name(model.thisClass().asInternalName()), describe(model));
    }
  }

  private static Type describe(ClassModel model) {
    List<String> parents = new ArrayList<>();
    model.superclass().ifPresent(type -> parents.add(name(type.asInternalName())));
    model.interfaces().forEach(type -> parents.add(name(type.asInternalName())));
    Map<String, Code> methods = new HashMap<>();
    for (MethodModel method : model.methods()) {
      String name = method.methodName().stringValue() + method.methodType().stringValue();
      methods.put(name, describe(method));
    }
    return new Type(
        parents,
        RealProcesses.isTagged(model, RealProcesses.TAG),
        model.flags().has(AccessFlag.ABSTRACT),
        methods);
  }

  private static Code describe(MethodModel method) {
    Set<Call> calls = new LinkedHashSet<>();
    method
        .code()
        .ifPresent(code ->
            code.forEach(element -> {
              switch (element) {
                case InvokeInstruction invoked -> calls.add(call(invoked.method()));
                case FieldInstruction field ->
                    calls.add(new Call(name(field.owner().asInternalName()), INITIALIZER));
                case InvokeDynamicInstruction dynamic ->
                    dynamic
                        .invokedynamic()
                        .bootstrap()
                        .arguments()
                        .forEach(argument -> {
                          if (argument instanceof MethodHandleEntry handle) {
                            calls.add(call(handle.reference()));
                          }
                        });
                default -> {}
              }
            }));
    boolean isConstructor =
        method.methodName().stringValue().equals(CONSTRUCTOR)
            || method.methodName().stringValue().equals("<clinit>");
    return new Code(
        RealProcesses.isTest(method),
        isConstructor || isAnnotated(method, "Lorg/junit/jupiter/api/(Before|After)(Each|All);"),
        method.flags().has(AccessFlag.ABSTRACT),
        List.copyOf(calls));
  }

  private static boolean isAnnotated(MethodModel method, String pattern) {
    return method
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(found ->
            found.annotations().stream()
                .anyMatch(each -> each.className().stringValue().matches(pattern)))
        .orElse(false);
  }

  private static Call call(MemberRefEntry member) {
    String type = member.type().stringValue();
    String owner = name(member.owner().asInternalName());
    return type.startsWith("(")
        ? new Call(owner, member.name().stringValue() + type)
        : new Call(owner, INITIALIZER);
  }

  private static String name(String internalName) {
    return internalName.replace('/', '.');
  }
}
