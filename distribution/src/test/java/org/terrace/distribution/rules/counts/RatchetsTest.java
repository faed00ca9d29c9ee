package org.terrace.distribution.rules.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

public class RatchetsTest {
  @TempDir Path folder;

  @Test
  void aCountIsTheCommittedNumberAndNoOther() throws IOException {
    assertThat(breaches("long-files=2", "a", "b")).isEmpty();
    assertThat(breaches("long-files=1", "a", "b"))
        .containsExactly("long-files may be 1, is 2:\n  a\n  b");
    assertThat(breaches("long-files=3", "a", "b"))
        .containsExactly("long-files fell from 3: write long-files=2 in ratchets.properties");
  }

  @Test
  void aCountWithoutANumberAndANumberWithoutACountAreNamed() throws IOException {
    assertThat(breaches("old=1", "a"))
        .containsExactly(
            "ratchets.properties has no long-files: it is 1",
            "ratchets.properties: nothing counts old");
  }

  @Test
  void whatIsTooMuchInSourcesIsCounted() throws IOException {
    var planted =
        new PlantedHouse(folder)
            .module("core")
            .main("core", "package p.a;\n/** A thing. */\nclass Thing {}")
            .main("core", "package p.b;\n/** A thing. */\nclass Thing {}")
            .main("core", "package p.b;\n/** A waiter. */\nrecord Waiter() {}")
            .main(
                "core",
                "package p.b;\n/** A method too long. */\nclass Long {\n  void run() {\n"
                    + "    System.gc();\n".repeat(59)
                    + "  }\n}")
            .main(
                "core",
                "package p.b;\n/** A file too long. */\nclass File {\n" + "\n".repeat(398) + "}");
    for (int i = 0; i < 38; i++) {
      planted.main("core", "package p.b; class Small" + i + " {}");
    }
    for (int i = 0; i < 41; i++) {
      planted.test("core", "package p.a; class Small" + i + "Test {}");
      planted.test("core", "package p.b" + i % 2 + "; class Small" + i + "Test {}");
    }

    Map<String, List<String>> counts = SourceCounts.of(planted.build());

    assertThat(counts.get("repeated-simple-names")).containsExactly("Thing in p.a, p.b");
    assertThat(counts.get("interrogative-docstrings")).isEmpty();
    assertThat(counts.get("methods-above-60-lines")).containsExactly("p.b.Long.run: 61 lines");
    assertThat(counts.get("files-above-400-lines"))
        .containsExactly("core/src/main/java/p/b/File.java: 402 lines");
    assertThat(counts.get("packages-above-40-types")).containsExactly("p.b: 42 types");
    assertThat(counts.get("test-packages-above-40-types")).containsExactly("p.a: 41 types");
    assertThat(counts.get("modules-above-10000-lines")).isEmpty();
  }

  @Test
  void anInterrogativeThatBeginsADocstringIsCountedWhateverItDocuments() throws IOException {
    var planted =
        new PlantedHouse(folder)
            .module("core")
            .main("core", "package p.a;\n/** What a thing is. */\nclass Thing {}")
            .main("core", "package p.a;\n/**\n * Who waits: how\n */\nrecord Waiter() {}")
            .main(
                "core",
                """
                package p.a;
                /** An outer. */
                class Outer {
                  /** Which is in. */
                  enum Inner {
                    A;
                    /** Where it ends. */
                    interface Innermost {}
                  }
                }
                """)
            .test("core", "package p.a;\n/** Why it is tested. */\nclass ThingTest {}")
            .test(
                "core",
                """
                package p.a;
                /** A test. */
                class OuterTest {
                  void run() {
                    /** When it is local. */
                    record Local() {}
                  }
                  /** Whose is nested. */
                  static class Nested {}
                }
                """)
            .file(
                "core/src/main/java/p/a/package-info.java",
                "/** How things are packed. */",
                "package p.a;")
            .file(
                "core/src/test/java/p/t/package-info.java",
                "/** Whom tests help. */",
                "package p.t;");
    House house = planted.build();
    planted.file(
        "core/src/main/java/module-info.java", "/** What is exported. */", "module p.core {}");

    assertThat(SourceCounts.of(house).get("interrogative-docstrings"))
        .containsExactlyInAnyOrder(
            "p.a.Thing: What a thing is.",
            "p.a.Waiter: Who waits: how",
            "p.a.Outer.Inner: Which is in.",
            "p.a.Outer.Inner.Innermost: Where it ends.",
            "p.a.ThingTest: Why it is tested.",
            "p.a.OuterTest.Local: When it is local.",
            "p.a.OuterTest.Nested: Whose is nested.",
            "package p.a: How things are packed.",
            "package p.t: Whom tests help.",
            "module p.core: What is exported.");
  }

  @Test
  void anInterrogativeIsCountedAtEveryMember() throws IOException {
    String members =
        """
        {
          /** How many there are. */
          private int count;
          /** Who tells. */
          %s(int words) {}
          /** What it was told. */
          void tell(int words) {}
          /** Whether it was. */
          boolean told() { return true; }
          /**
           * By how much
           * it grows.
           */
          private static long growth() { return new Object() {
              /** That it ends. */
              void end() {}
            }.hashCode();
          }
        }
        """;
    House house =
        new PlantedHouse(folder)
            .module("core")
            .main("core", "package p.a; public class Shown " + members.formatted("public Shown"))
            .main("core", "package p.a; enum Way {\n/** Where one goes in. */ IN,\n OUT }")
            .main("core", "package p.a; interface Told {\n/** Why so. */ int why(); }")
            .test("core", "package p.a; class ShownTest " + members.formatted("ShownTest"))
            .build();

    assertThat(SourceCounts.of(house).get("interrogative-docstrings"))
        .containsExactlyInAnyOrder(
            "p.a.Shown.count: How many there are.",
            "p.a.Shown.<init>: Who tells.",
            "p.a.Shown.tell: What it was told.",
            "p.a.Shown.growth: By how much",
            "p.a.Shown..end: That it ends.",
            "p.a.Way.IN: Where one goes in.",
            "p.a.Told.why: Why so.",
            "p.a.ShownTest.count: How many there are.",
            "p.a.ShownTest.<init>: Who tells.",
            "p.a.ShownTest.tell: What it was told.",
            "p.a.ShownTest.growth: By how much",
            "p.a.ShownTest..end: That it ends.");
  }

  @Test
  void aDocstringThatDefinesIsNotCountedThoughAnInterrogativeStandsInIt() throws IOException {
    var planted =
        new PlantedHouse(folder)
            .module("core")
            .main(
                "core",
                """
                package p.a;
                /** Whether a thing is. */
                class Thing {
                  /** The time in which it ends. */
                  int nanos;
                  /** With that limit. */
                  int max;
                }\
                """)
            .main("core", "package p.a;\n/** Whatever one likes. */\nclass Any {}")
            .main("core", "package p.a;\n/** The one who waits. */\nclass Waiter {}");

    assertThat(SourceCounts.of(planted.build()).get("interrogative-docstrings")).isEmpty();
  }

  @Test
  void aModuleTooLargeIsNamed() throws IOException {
    var planted = new PlantedHouse(folder).module("core");
    for (int i = 0; i < 26; i++) {
      planted.main("core", "package p.a; class Large" + i + " {" + "\n".repeat(395) + "}");
    }

    assertThat(SourceCounts.of(planted.build()).get("modules-above-10000-lines"))
        .containsExactly("core: 10296 lines");
  }

  @Test
  void eachPackageThatAModuleShowsBesideItsFirstIsNamed() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("core")
            .main("core", "package p.a; public class A {}")
            .build();
    new PlantedHouse(folder)
        .file(
            "core/src/main/java/module-info.java",
            "/** A module. */",
            "module p {",
            "  exports p.a;",
            "  exports p.b to",
            "      q;",
            "  exports p.c;",
            "}");

    assertThat(SourceCounts.of(house).get("exported-packages-beyond-the-first"))
        .containsExactly("core: p.c");
    assertThat(SourceCounts.of(house).get("packages-exported-to-some"))
        .containsExactly("core: p.b");
  }

  private List<String> breaches(String committed, String... found) throws IOException {
    new PlantedHouse(folder).file("ratchets.properties", committed);
    return Ratchets.breachesOf(
        Map.of("long-files", List.of(found)), folder.resolve("ratchets.properties"));
  }
}
