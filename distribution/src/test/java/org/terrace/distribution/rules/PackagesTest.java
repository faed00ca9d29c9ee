package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

class PackagesTest {
  @TempDir Path folder;

  @Test
  void aCircleIsNamedWithAllThatStandInIt() throws IOException {
    Packages packages =
        plant(
            "package p.a; public class A { p.b.B next; }",
            "package p.b; public class B { p.c.C next; }",
            "package p.c; public class C { p.a.A next; }",
            "package p.d; public class D { p.a.A next; }");

    assertThat(packages.cycles()).containsExactly("a circle of packages: p.a, p.b, p.c");
    assertThat(packages.inCycles()).containsExactly("p.a", "p.b", "p.c");
  }

  @Test
  void anImportForACommentClosesACircleToo() throws IOException {
    Packages packages =
        plant(
            "package p.a; public class A { p.b.B next; }",
            "package p.b;\nimport p.a.A;\n/** Next to {@link A}. */ public class B {}");

    assertThat(packages.cycles()).containsExactly("a circle of packages: p.a, p.b");
  }

  @Test
  void aFullNameInACommentClosesACircleToo() throws IOException {
    Packages packages =
        plant(
            "package p.a; public class A { p.b.B next; }",
            "package p.b;\n/** Next to {@link p.a.A}. */ public class B {}");

    assertThat(packages.cycles()).containsExactly("a circle of packages: p.a, p.b");
  }

  @Test
  void aCircleOfTestCodeIsNamedWhateverItUsesOfMainCode() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core")
            .main("core", "package p.a; public class A {}")
            .main("core", "package p.b; public class B { p.a.A next; }")
            .test("core", "package p.a; public class FirstTest { p.b.SecondTest next; p.b.B b; }")
            .test(
                "core",
                "package p.b;\n/** As {@link p.c.ThirdTest}. */ public class SecondTest { p.a.A a; }")
            .test("core", "package p.c; public class ThirdTest { p.a.FirstTest first; }")
            .test("core", "package p.d; public class FourthTest { p.a.FirstTest first; p.b.B b; }")
            .build();

    assertThat(Packages.of(house).cycles()).isEmpty();
    assertThat(Packages.ofTests(house).cycles())
        .containsExactly("a circle of packages: p.a, p.b, p.c");
  }

  @Test
  void aTestThatLooksIntoMainCodeFromAboveClosesNoCircle() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core")
            .main("core", "package p.a; public class A {}")
            .main("core", "package p.b; public class B { p.a.A next; }")
            .test("core", "package p.a; public class FirstTest { p.b.B next; }")
            .test("core", "package p.b; public class SecondTest { p.a.FirstTest first; }")
            .build();

    assertThat(Packages.ofTests(house).cycles()).isEmpty();
  }

  @Test
  void arrowsInOneDirectionAreNoCircle() throws IOException {
    Packages packages =
        plant("package p.a; public class A { p.b.B next; }", "package p.b; public class B {}");

    assertThat(packages.cycles()).isEmpty();
    assertThat(packages.namedFacades()).isEmpty();
  }

  @Test
  void aPartThatNamesItsFacadeIsNamedEvenWithoutACircle() throws IOException {
    Packages packages =
        plant(
            "package p.a; public class A { p.a.part.Part part; }",
            "package p.a.part; public class Part {}",
            "package p.a.other; public class Other { p.a.A facade; }");

    assertThat(packages.cycles()).isEmpty();
    assertThat(packages.namedFacades())
        .containsExactly("p.a.other names p.a, a facade of its own parts");
  }

  @Test
  void aPackageThatUsesNoneOfItsPartsIsNoFacade() throws IOException {
    Packages packages =
        plant(
            "package p.a; public class A {}",
            "package p.a.part; public class Part { p.a.A common; }");

    assertThat(packages.namedFacades()).isEmpty();
  }

  @Test
  void anAdapterInAModuleOfItsOwnMayNameTheFacade() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core")
            .module("adapter", "core")
            .main("core", "package p.a; public class A { p.a.part.Part part; }")
            .main("core", "package p.a.part; public class Part {}")
            .main("adapter", "package p.a.adapter; public class Adapter { p.a.A facade; }")
            .build();

    assertThat(Packages.of(house).namedFacades()).isEmpty();
  }

  private Packages plant(String... sources) throws IOException {
    var planted = new PlantedHouse(folder).module("core");
    for (String source : sources) {
      planted.main("core", source);
    }
    return Packages.of(planted.build());
  }
}
