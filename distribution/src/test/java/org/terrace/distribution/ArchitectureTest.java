package org.terrace.distribution;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules about the sources of clocks and randomness; the arrows are in the package of rules. */
class ArchitectureTest {
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
  void clocksAreReadInTheTimeSourceAlone() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.terrace.core.SystemTimeSource")
        .and()
        .resideOutsideOfPackage("..jmh_generated..")
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
}
