package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Seeds;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Tests whose defect one seed alone shows, that of their first run, run by the project's own test
 * runner, which runs a failed one again: the second run has to draw the seed of the first and to
 * fail as well, wherever the test draws it.
 */
@Tag("real-processes")
@Tag("untimed")
class SecondSeedsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));

  private static final String REPOSITORY =
      System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository");

  /** The beginning of the planted classes: a seed fails if the first draw of its kind gave it. */
  private static final String PLANTED =
      """
      import org.junit.jupiter.api.*;
      import org.junit.jupiter.params.ParameterizedTest;
      import org.junit.jupiter.params.provider.ValueSource;
      import org.terrace.testing.Seeds;
      import java.util.stream.*;
      class Defect {
        private static final java.util.Map<String, Long> bad = new java.util.HashMap<>();
        static long draw() { return Seeds.next("planted"); }
        static void shownBy(String kind, long seed) {
          bad.putIfAbsent(kind, seed);
          Assertions.assertNotEquals(bad.get(kind), seed, kind + " is decided by its seed");
        }
      }
      """;

  /** By the kind of draw, each a class of one test or several that all fail by their seed. */
  private static final List<String> KINDS =
      List.of(
          "class MethodTest { @Test void t() { Defect.shownBy(\"method\", Defect.draw()); } }",
          "class HistoriesTest { @Test void t() {"
              + " for (long s : Seeds.histories(\"h\", 2)) Defect.shownBy(\"histories\", s); } }",
          "class ParameterTest { @ParameterizedTest @ValueSource(ints = {1, 2})"
              + " void t(int i) { Defect.shownBy(\"parameter\" + i, Defect.draw()); } }",
          "class RepeatedTests_Test { @RepeatedTest(2)"
              + " void t(RepetitionInfo i) {"
              + " Defect.shownBy(\"repeated\" + i.getCurrentRepetition(), Defect.draw()); } }",
          "class DynamicTest_Test { @TestFactory Stream<DynamicTest> t() {"
              + " return Stream.of(DynamicTest.dynamicTest(\"d\","
              + " () -> Defect.shownBy(\"dynamic\", Defect.draw()))); } }",
          "class FactoryTest { @TestFactory Stream<DynamicTest> t() { long s = Defect.draw();"
              + " return Stream.of(DynamicTest.dynamicTest(\"d\","
              + " () -> Defect.shownBy(\"factory\", s))); } }",
          "class FieldTest { final long s = Defect.draw();"
              + " @Test void t() { Defect.shownBy(\"field\", s); } }",
          "class SeveralFieldsTest { final long r = Seeds.next(\"other\"), s = Defect.draw();"
              + " @Test void good() {} @Test void t() { Defect.shownBy(\"several\", s); } }",
          "class BeforeEachTest { long s; @BeforeEach void b() { s = Defect.draw(); }"
              + " @Test void t() { Defect.shownBy(\"before\", s); } }",
          "class FailingBeforeEachTest {"
              + " @BeforeEach void b() { Defect.shownBy(\"in before\", Defect.draw()); }"
              + " @Test void t() {} }",
          "class AfterEachTest { long s; @Test void t() { s = Defect.draw(); }"
              + " @AfterEach void a() { Defect.shownBy(\"after\", s); } }",
          "class BeforeAllTest { static long s; @BeforeAll static void b() { s = Defect.draw(); }"
              + " @Test void t() { Defect.shownBy(\"all\", s); } }",
          "@TestInstance(TestInstance.Lifecycle.PER_CLASS) class OneInstanceTest {"
              + " final long s = Defect.draw(); long e; @BeforeEach void b() { e = Defect.draw(); }"
              + " @Test void t() { Defect.shownBy(\"one field\", s); }"
              + " @Test void u() { Defect.shownBy(\"one before\", e); } }",
          "class NestingTest { @Nested class InnerTest { final long s = Defect.draw();"
              + " @Test void t() { Defect.shownBy(\"nested\", s); } } }");

  @TempDir Path scratch;

  /** A runner that took every failure for a failure again would fail the test of luck, too. */
  @Test
  @Timeout(120)
  void aSecondRunDrawsTheSeedOfTheFirstAndWhatNoSeedDecidesMayPassOnlyAgain() throws Exception {
    List<String> classes = new ArrayList<>(KINDS);
    classes.add(
        "class LuckTest { static int runs; @Test void t() {"
            + " Defect.draw(); Assertions.assertTrue(runs++ > 0, \"the first run\"); } }");
    String output = runTests(classes);

    Map<String, List<String>> failures = failures();
    assertThat(failures.remove("LuckTest.t")).as(output).isEmpty();
    assertThat(failures).as(output).hasSize(KINDS.size() + 3);
    assertThat(failures)
        .allSatisfy((_, messages) ->
            assertThat(messages)
                .hasSize(3)
                .allMatch(message -> message.contains("is decided by its seed")));
  }

  private String runTests(List<String> classes) throws IOException, InterruptedException {
    Path project = Files.createDirectory(scratch.resolve("project"));
    Path tests = Files.createDirectories(project.resolve("target/test-classes"));
    Files.createDirectories(project.resolve("target/classes"));
    Path source = scratch.resolve("Planted.java");
    Files.writeString(source, PLANTED + String.join("\n", classes));
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", tests.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), source.toString()));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
    Files.writeString(project.resolve("pom.xml"), pom());
    Path log = scratch.resolve("maven.log");
    ProcessBuilder maven =
        new ProcessBuilder(
                ROOT.resolve("mvnw").toString(),
                "--batch-mode",
                "--offline",
                "-Dmaven.repo.local=" + REPOSITORY,
                "--no-transfer-progress",
                "surefire:test")
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    maven.environment().put("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m");
    Process run = maven.start();
    try {
      assertThat(run.waitFor(100, TimeUnit.SECONDS)).as("the tests ended in time").isTrue();
    } finally {
      run.descendants().forEach(ProcessHandle::destroyForcibly);
      run.destroyForcibly();
    }
    return Files.readString(log);
  }

  /** The project's runner of its version, with JUnit's, and what the tests of all modules share. */
  private static String pom() throws IOException {
    String root = Files.readString(ROOT.resolve("pom.xml"));
    String shared =
        location(Seeds.class)
            + "</additionalClasspathElement><additionalClasspathElement>"
            + location(org.terrace.core.TerraceException.class);
    return """
    <project>
      <modelVersion>4.0.0</modelVersion>
      <groupId>planted</groupId><artifactId>planted</artifactId><version>1</version>
      <dependencies><dependency>
        <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
        <version>%s</version><scope>test</scope>
      </dependency><dependency>
        <groupId>org.junit.platform</groupId><artifactId>junit-platform-launcher</artifactId>
        <version>%1$s</version><scope>test</scope>
      </dependency></dependencies>
      <build><plugins><plugin>
        <groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId>
        <version>%s</version>
        <configuration>
          <rerunFailingTestsCount>%s</rerunFailingTestsCount>
          <argLine>-XX:+UseSerialGC -XX:TieredStopAtLevel=1</argLine>
          <additionalClasspathElements>
            <additionalClasspathElement>%s</additionalClasspathElement>
          </additionalClasspathElements>
        </configuration>
      </plugin></plugins></build>
    </project>
    """
        .formatted(
            found(root, "<artifactId>junit-bom</artifactId>\\s*<version>([^<]+)<").getFirst(),
            found(root, "<artifactId>maven-surefire-plugin</artifactId>\\s*<version>([^<]+)<")
                .getFirst(),
            found(root, "<rerunFailingTestsCount>(\\d+)<").getFirst(),
            shared);
  }

  /** The messages of all runs of each test that failed in each, none of one that passed again. */
  private Map<String, List<String>> failures() throws Exception {
    Map<String, List<String>> failures = new TreeMap<>();
    Path folder = scratch.resolve("project/target/surefire-reports");
    try (var files = Files.newDirectoryStream(folder, "TEST-*.xml")) {
      for (Path file : files) {
        Document report =
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        NodeList tests = report.getElementsByTagName("testcase");
        for (int i = 0; i < tests.getLength(); i++) {
          Element test = (Element) tests.item(i);
          if (!test.getAttribute("name").equals("good")) {
            failures.put(
                test.getAttribute("classname") + "." + test.getAttribute("name"), messages(test));
          }
        }
      }
    }
    return failures;
  }

  private static List<String> messages(Element test) {
    return Stream.of("failure", "error", "rerunFailure", "rerunError")
        .flatMap(kind -> {
          NodeList found = test.getElementsByTagName(kind);
          return IntStream.range(0, found.getLength()).mapToObj(found::item);
        })
        .map(failure -> ((Element) failure).getAttribute("message"))
        .toList();
  }

  private static List<String> found(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(match -> match.group(match.groupCount()))
        .toList();
  }

  private static Path location(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
