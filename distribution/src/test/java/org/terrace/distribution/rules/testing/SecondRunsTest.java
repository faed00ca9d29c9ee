package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.PlantedHouse;

/** The rule about tests that run again, of the project and where broken on purpose. */
public class SecondRunsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final String AGAIN = "<rerunFailingTestsCount>2</rerunFailingTestsCount>";

  @TempDir private Path folder;

  @Test
  void onlyTestsOfRealProcessesRunAgain() throws IOException {
    House house = House.read(ROOT);
    List<String> modules = house.modules().stream().map(Module::folder).toList();

    assertThat(SecondRuns.breachesOf(ROOT, modules)).isEmpty();
    assertThat(Files.readString(ROOT.resolve("pom.xml"))).contains(AGAIN);
  }

  @Test
  void aRunOfAllTestsThatRunsThemAgainIsNamed() throws IOException {
    String project = Files.readString(ROOT.resolve("pom.xml"));
    String excluded = "<excludedGroups>real-processes,${terrace.leftOut}</excludedGroups>";

    assertThat(breaches(project)).isEmpty();
    assertThat(breaches(project.replace(excluded, excluded + AGAIN)))
        .containsExactly("pom.xml: the run default-test runs tests again that are not marked");
    assertThat(breaches(project.replace(excluded, "")))
        .containsExactly("pom.xml: the run default-test has tests of real processes among its own");
    assertThat(
            breaches(
                project.replace(
                    "<trimStackTrace>",
                    "<testFailureIgnore>true</testFailureIgnore><trimStackTrace>")))
        .containsExactly("pom.xml: all runs of tests run failed ones again");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<skipTests>true</skipTests>",
        "<skip>${never}</skip>",
        "<maven.test.skip>true</maven.test.skip>",
        "<excludes><exclude>**/SlowTest.java</exclude></excludes>",
        "<includes><include>**/QuickTest*</include></includes>",
        "<groups combine.self='override'></groups><groups>quick</groups>",
        "<excludedGroups>hard</excludedGroups>",
        "<test>QuickTest</test>",
        "<terrace.leftOut>hard</terrace.leftOut>"
      })
  void aModuleThatChoosesItsTestsIsNamed(String settings) throws IOException {
    String project = Files.readString(ROOT.resolve("pom.xml"));
    new PlantedHouse(folder).file("shop/pom.xml", "<project>" + settings + "</project>");

    assertThat(breaches(project))
        .containsExactly("shop/pom.xml says itself which of its tests run");
  }

  @Test
  void aModuleOptionOrScriptThatAsksForItIsNamed() throws IOException {
    String project = Files.readString(ROOT.resolve("pom.xml"));
    new PlantedHouse(folder)
        .file("shop/pom.xml", "<project>" + AGAIN + "</project>")
        .file(".mvn/maven.config", "-Dsurefire.rerunFailingTestsCount=1")
        .file("build", "run -fn verify");

    assertThat(breaches(project))
        .containsExactly(
            "shop/pom.xml has failed tests run again or passed over",
            "build has failed tests run again or passed over",
            ".mvn/maven.config has failed tests run again or passed over");
  }

  private List<String> breaches(String project) throws IOException {
    Files.writeString(folder.resolve("pom.xml"), project);
    return SecondRuns.breachesOf(folder, List.of("shop"));
  }
}
