package org.terrace.distribution.rules.testing;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.terrace.distribution.rules.house.ClassFiles;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The rule that a test class carries the tag {@code real-processes}, so that it may run again after
 * a failure, only if it has to do with processes, sockets or clocks, and never if it is simulated.
 *
 * <p>A class whose own code, or that of the test code it reaches, names them must carry it. One
 * that reaches them through main code may.
 */
public final class RealProcesses {
  static final String TAG = "real-processes";

  /** The tag of classes that take no turn with others, as they judge no elapsed time. */
  static final String UNTIMED = "untimed";

  /** The classes that start processes, listen and connect. */
  private static final Set<String> TYPES =
      Set.of(
          "java.lang.ProcessBuilder",
          "org.terrace.core.process.ChildProcess",
          "org.terrace.core.process.Keeper",
          "java.net.Socket",
          "java.net.ServerSocket",
          "java.net.DatagramSocket",
          "java.net.MulticastSocket",
          "java.net.http.HttpClient",
          "java.net.HttpURLConnection",
          "javax.net.ssl.SSLSocket",
          "com.sun.net.httpserver.HttpServer",
          "java.nio.channels.AsynchronousSocketChannel",
          "java.nio.channels.AsynchronousServerSocketChannel",
          "java.nio.channels.SocketChannel",
          "java.nio.channels.ServerSocketChannel",
          "java.nio.channels.DatagramChannel",
          "java.nio.channels.Selector",
          "org.apache.catalina.startup.Tomcat",
          "io.undertow.Undertow",
          "io.grpc.Server",
          "io.grpc.ManagedChannel",
          "org.jgroups.JChannel",
          "org.terrace.nodes.machine.ProcessorSpeed",
          "org.terrace.databases.postgres.PostgresServer",
          "org.terrace.databases.mariadb.MariaDbServer",
          "org.terrace.invocation.server.ServiceServer");

  /** The methods that tell or let pass the time of the machine. */
  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.lang.Runtime.exec",
          "java.lang.Thread.sleep",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.systemUTC",
          "java.time.Instant.now",
          "java.util.concurrent.TimeUnit.sleep",
          "java.util.concurrent.locks.LockSupport.parkNanos",
          "org.terrace.core.TimeSource.system");

  /** The calls of a class that judges elapsed time. */
  private static final Set<String> TELLS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.time.Instant.now",
          "org.terrace.core.TimeSource.elapsedNanos",
          "org.terrace.core.TimeSource.epochNanos");

  private static final String SIMULATION = "org.terrace.testing.simulation.Simulation";
  private static final String CLOCK_ITSELF = "org.terrace.core.TimeSource";

  /** The facts that the rule needs of a class of test code. */
  private record TestClass(
      String parent,
      boolean isAbstract,
      boolean hasTests,
      boolean isMarked,
      boolean isUntimed,
      boolean tellsTime,
      boolean readsClock,
      boolean marksMethod) {}

  private final Map<String, Set<String>> uses = new HashMap<>();
  private final Map<String, TestClass> tests = new HashMap<>();
  private final Map<String, Module> modules = new HashMap<>();

  private RealProcesses(House house) throws IOException {
    for (Module module : house.modules()) {
      uses.putAll(module.mainUses());
      uses.putAll(module.testUses());
      Path folder = house.root().resolve(module.folder());
      read(module, folder.resolve("target/test-classes"));
      if (module.name().equals("testing")) {
        read(module, folder.resolve("target/classes"));
      }
    }
    // The clock itself names the system's, whoever is given another one.
    uses.put(CLOCK_ITSELF, Set.of());
  }

  static List<String> breachesOf(House house) throws IOException {
    return new RealProcesses(house).breaches();
  }

  /** Whether a method starts processes, listens, connects or reads the machine's clock. */
  static boolean isReal(String type, String method) {
    return TYPES.contains(type) || CLOCKS.contains(type + "." + method);
  }

  static boolean isClockItself(String type) {
    return type.equals(CLOCK_ITSELF);
  }

  private List<String> breaches() {
    List<String> breaches = new ArrayList<>();
    Set<String> modulesWithMarked = new TreeSet<>();
    Set<String> modulesWithOthers = new TreeSet<>();
    for (String name : new TreeSet<>(tests.keySet())) {
      if (tests.get(name).isAbstract() || !inherits(name, TestClass::hasTests)) {
        continue;
      }
      boolean marked = inherits(outermost(name), TestClass::isMarked);
      boolean simulated = reaches(name, true, SIMULATION::equals);
      boolean real = reaches(name, true, this::isReal);
      (marked ? modulesWithMarked : modulesWithOthers).add(modules.get(name).name());
      boolean marksPart = tests.get(name).isMarked() && !name.equals(outermost(name));
      if (marksPart || tests.get(name).marksMethod()) {
        breaches.add(name + " is tagged in part: the tag " + TAG + " is for a whole test class");
      }
      if (inherits(outermost(name), TestClass::isUntimed) && (!marked || tellsTime(name))) {
        breaches.add(
            name
                + " is tagged "
                + UNTIMED
                + ", so it must be tagged "
                + TAG
                + ", and tell no time");
      }
      if (marked && simulated) {
        breaches.add(name + " is simulated: it never runs again, so take its tag off");
      } else if (!marked && real && !simulated) {
        breaches.add(name + " has to do with processes, sockets or clocks: tag it " + TAG);
      } else if (marked && !reaches(name, false, this::isReal)) {
        breaches.add(
            name + " has nothing to do with processes, sockets or clocks: take its tag off");
      }
    }
    for (Module module : Set.copyOf(modules.values())) {
      breaches.addAll(
          breachesOf(
              module,
              modulesWithMarked.contains(module.name()),
              modulesWithOthers.contains(module.name())));
    }
    return breaches;
  }

  /** The breaches of a module that says of its tests what is not so, or pays for none. */
  private List<String> breachesOf(Module module, boolean hasMarked, boolean hasOthers) {
    List<String> breaches = new ArrayList<>();
    boolean saysNone = says(module, "terrace.noRealProcesses");
    boolean saysOnly = says(module, "terrace.onlyRealProcesses");
    String pom = module.folder() + "/pom.xml ";
    if (saysNone && hasMarked) {
      breaches.add(pom + "says terrace.noRealProcesses, and has such tests");
    } else if (!saysNone && !hasMarked && hasTests(module)) {
      breaches.add(pom + "should set terrace.noRealProcesses: it has none");
    }
    if (saysOnly && hasOthers) {
      breaches.add(pom + "says terrace.onlyRealProcesses, and has other tests");
    } else if (!saysOnly && hasMarked && !hasOthers) {
      breaches.add(pom + "should set terrace.onlyRealProcesses: it has no others");
    }
    return breaches;
  }

  private static boolean says(Module module, String property) {
    return "true".equals(module.pom().properties().get(property));
  }

  /** Whether a class, one that it inherits from, or one inside it judges elapsed time. */
  private boolean tellsTime(String name) {
    return inherits(name, TestClass::tellsTime)
        || tests.entrySet().stream()
            .anyMatch(test -> test.getKey().startsWith(name + "$") && test.getValue().tellsTime());
  }

  private boolean hasTests(Module module) {
    return tests.entrySet().stream()
        .anyMatch(test -> modules.get(test.getKey()).equals(module) && test.getValue().hasTests());
  }

  private boolean isReal(String name) {
    return TYPES.contains(name) || (tests.containsKey(name) && tests.get(name).readsClock());
  }

  private boolean inherits(String name, Predicate<TestClass> what) {
    for (String each = name; tests.containsKey(each); each = tests.get(each).parent()) {
      if (what.test(tests.get(each))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class reaches one of that kind, through test code alone or through any. */
  private boolean reaches(String from, boolean throughTests, Predicate<String> kind) {
    Set<String> seen = new TreeSet<>(Set.of(from));
    Deque<String> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      String name = next.removeFirst();
      if (kind.test(name)) {
        return true;
      }
      if (!throughTests || tests.containsKey(name)) {
        uses.getOrDefault(name, Set.of()).stream().filter(seen::add).forEach(next::addLast);
      }
    }
    return false;
  }

  private static String outermost(String name) {
    return name.replaceFirst("\\$.*", "");
  }

  private void read(Module module, Path folder) throws IOException {
    for (ClassModel model : ClassFiles.below(folder)) {
      String name = model.thisClass().asInternalName().replace('/', '.');
      tests.put(name, describe(model));
      modules.put(name, module);
    }
  }

  private static TestClass describe(ClassModel model) {
    boolean readsClock = false;
    boolean tellsTime = false;
    for (var entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member) {
        String owner = member.owner().asInternalName().replace('/', '.');
        String method = owner + "." + member.name().stringValue();
        readsClock |= CLOCKS.contains(method);
        tellsTime |= TELLS.contains(method);
      }
    }
    return new TestClass(
        model.superclass().map(type -> type.asInternalName().replace('/', '.')).orElse(""),
        model.flags().has(AccessFlag.ABSTRACT),
        model.methods().stream().anyMatch(RealProcesses::isTest),
        isTagged(model, TAG),
        isTagged(model, UNTIMED),
        tellsTime,
        readsClock,
        model.methods().stream().anyMatch(RealProcesses::isMarked));
  }

  static boolean isTagged(ClassModel model, String tag) {
    return model
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(annotations -> annotations.annotations().toString().contains(tag))
        .orElse(false);
  }

  private static boolean isMarked(MethodModel method) {
    return method
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(annotations -> annotations.annotations().toString().contains(TAG))
        .orElse(false);
  }

  static boolean isTest(MethodModel method) {
    return method
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(RuntimeVisibleAnnotationsAttribute::annotations)
        .orElse(List.of())
        .stream()
        .anyMatch(annotation ->
            annotation
                .className()
                .stringValue()
                .matches("Lorg/junit/jupiter/.*(Test|TestFactory|TestTemplate);"));
  }
}
