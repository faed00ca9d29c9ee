package org.terrace.distribution;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows between modules, and where clocks and randomness may come from. */
class ArchitectureTest {
  /** What each module may use of the others; whatever is not listed here may use none. */
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          Map.entry("core", Set.of()),
          Map.entry("testing", Set.of("core")),
          Map.entry("databases", Set.of("core")),
          Map.entry("groups", Set.of("core")),
          Map.entry("collections", Set.of("core", "groups")),
          Map.entry(
              "proof",
              Set.of(
                  "core",
                  "testing",
                  "databases",
                  "groups",
                  "collections",
                  "middleware",
                  "control",
                  "invocation")),
          Map.entry("middleware", Set.of("core")),
          Map.entry("control", Set.of("core", "middleware")),
          Map.entry("invocation", Set.of("core", "middleware", "control")),
          Map.entry("observation", Set.of("core")),
          Map.entry("wire", Set.of("core")),
          Map.entry("protocols", Set.of("core", "observation", "wire")),
          Map.entry("capture", Set.of("core", "wire")),
          Map.entry("analysis", Set.of("core", "observation")),
          Map.entry("load", Set.of("core", "observation")),
          Map.entry("nodes", Set.of("core", "observation", "capture")),
          Map.entry(
              "experiment",
              Set.of(
                  "core",
                  "databases",
                  "load",
                  "nodes",
                  "observation",
                  "wire",
                  "protocols",
                  "capture",
                  "analysis")),
          Map.entry(
              "studies", Set.of("core", "databases", "nodes", "experiment", "capture", "analysis")),
          Map.entry("proxy", Set.of("core")),
          Map.entry("board", Set.of("core", "groups", "collections")),
          Map.entry(
              "cart",
              Set.of("core", "groups", "collections", "middleware", "control", "invocation")),
          Map.entry(
              "petstore",
              Set.of(
                  "core", "groups", "collections", "middleware", "control", "invocation", "cart")),
          Map.entry("seven", Set.of("core", "middleware", "control", "invocation")),
          Map.entry("report", Set.of("core", "observation", "analysis")),
          Map.entry(
              "cli",
              Set.of(
                  "core",
                  "observation",
                  "wire",
                  "capture",
                  "protocols",
                  "analysis",
                  "nodes",
                  "experiment",
                  "studies",
                  "report")),
          Map.entry(
              "benchmarks",
              Set.of(
                  "core",
                  "testing",
                  "databases",
                  "groups",
                  "collections",
                  "middleware",
                  "control",
                  "invocation",
                  "observation",
                  "wire",
                  "capture",
                  "protocols",
                  "analysis",
                  "load",
                  "nodes",
                  "report")));

  private static final String ROOT_PACKAGE = "org.terrace.";

  private static JavaClasses house;

  @BeforeAll
  static void importAllMainClasses() throws Exception {
    List<Path> folders = new ArrayList<>();
    try (var poms = Files.walk(SourceTree.root(), SourceTree.MODULE_DEPTH)) {
      poms.filter(path -> path.endsWith("pom.xml"))
          .map(pom -> pom.resolveSibling("target/classes"))
          .filter(Files::isDirectory)
          .forEach(folders::add);
    }
    house = new ClassFileImporter().importPaths(folders);
  }

  @Test
  void everyModuleIsKnownToTheArrows() {
    Map<String, JavaClass> found = new TreeMap<>();
    house.forEach(type -> found.put(moduleOf(type), type));

    assertThat(found.keySet()).isEqualTo(Set.copyOf(ARROWS.keySet()));
  }

  @Test
  void dependenciesFollowTheArrows() {
    for (var arrow : ARROWS.entrySet()) {
      String module = arrow.getKey();
      classes()
          .that(resideInAnyPackage(packagesOf(module)))
          .should()
          .onlyDependOnClassesThat(mayBeUsedBy(module, arrow.getValue()))
          .check(house);
    }
  }

  @Test
  void clocksAreReadInTheTimeSourceAlone() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.terrace.core.SystemTimeSource")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .check(house);
  }

  @Test
  void randomnessIsSeeded() {
    noClasses()
        .should()
        .callConstructor(Random.class)
        .orShould()
        .callMethod(Math.class, "random")
        .check(house);
  }

  private static DescribedPredicate<JavaClass> mayBeUsedBy(String module, Set<String> allowed) {
    return DescribedPredicate.describe(
        "belong to " + module + ", to one of " + allowed + ", or to a library",
        type ->
            !type.getPackageName().startsWith(ROOT_PACKAGE)
                || moduleOf(type).equals(module)
                || allowed.contains(moduleOf(type)));
  }

  private static String[] packagesOf(String module) {
    return new String[] {ROOT_PACKAGE + module, ROOT_PACKAGE + module + ".."};
  }

  private static String moduleOf(JavaClass type) {
    String rest = type.getPackageName().substring(ROOT_PACKAGE.length());
    int dot = rest.indexOf('.');
    return dot < 0 ? rest : rest.substring(0, dot);
  }
}
