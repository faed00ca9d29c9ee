package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.terrace.distribution.rules.counts.Ratchets;
import org.terrace.distribution.rules.counts.SourceCounts;
import org.terrace.distribution.rules.documents.DocumentLinks;
import org.terrace.distribution.rules.documents.DrawnArrows;
import org.terrace.distribution.rules.documents.ModuleTable;
import org.terrace.distribution.rules.documents.PromiseTables;
import org.terrace.distribution.rules.documents.Wings;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.testing.LongTests;

/** The rules of the house, asked of the house. */
class HouseRulesTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Path RESOURCES = ROOT.resolve("distribution/src/test/resources");

  private static House house;

  @BeforeAll
  static void readTheHouse() throws IOException {
    house = House.read(ROOT);
    assertThat(house.notCompiled()).isEmpty();
    assertThat(house.ownersOfMainClasses()).hasSizeGreaterThan(1_000);
  }

  @Test
  void projectsDeclareWhatTheTableOfModulesSays() throws IOException {
    assertThat(ModuleTable.read(ROOT.resolve("ARCHITECTURE.md")).breachesOf(house)).isEmpty();
  }

  @Test
  void theDrawingOfTheHouseShowsEveryModuleAndOnlyArrowsThatHold() throws IOException {
    String document = Files.readString(ROOT.resolve("ARCHITECTURE.md"));

    assertThat(ModuleTable.missingInDrawing(house, document)).isEmpty();
    assertThat(DrawnArrows.of(document).breachesOf(house)).isEmpty();
    assertThat(DrawnArrows.of(document).found()).hasSizeGreaterThan(20);
    assertThat(DrawnArrows.of(document).foundBetweenFrames()).hasSizeGreaterThan(3);
  }

  @Test
  void theTableOfWingsNamesEveryModule() throws IOException {
    assertThat(Wings.breachesOf(house, ROOT.resolve("README.md"))).isEmpty();
  }

  @Test
  void everyLinkOfADocumentLeadsSomewhere() throws IOException {
    DocumentLinks documents = DocumentLinks.read(ROOT);

    assertThat(documents.breaches()).isEmpty();
    assertThat(documents.links()).isGreaterThan(300);
  }

  @Test
  void promisesInTheGuidesAndOnSecurityNameTestsThatAreRun() throws IOException {
    PromiseTables tables = PromiseTables.read(house);

    assertThat(tables.breaches()).isEmpty();
    assertThat(tables.lines()).isGreaterThan(40);
  }

  @Test
  void codeUsesTheModulesThatItsProjectDeclares() {
    assertThat(Arrows.breachesOf(house)).isEmpty();
  }

  @Test
  void noClassBelowTheLabNamesOneOfItOrOfWhatStandsOnIt() {
    Set<String> below = Set.of("core", "testing", "databases", "runtime", "observatory");
    for (String above : List.of("lab", "benchmarks", "microbenchmarks", "distribution")) {
      assertThat(Arrows.breachesOfWings(house, below, above)).isEmpty();
    }
  }

  @Test
  void descriptorsOpenPackagesToModulesThatUseThemAndTheRuntimesOneAloneToTheLab()
      throws IOException {
    Descriptors descriptors = Descriptors.of(house);

    assertThat(descriptors.unused()).isEmpty();
    assertThat(descriptors.exportedWithoutNeed()).isEmpty();
    assertThat(descriptors.namedAbove(Set.of("core", "runtime"), Set.of("lab", "benchmarks")))
        .isNotEmpty()
        .allMatch(breach ->
            breach.startsWith(
                "the descriptor of runtime/control opens org.terrace.control.client to "));
  }

  @Test
  void projectsDeclareWhatTheirClassesNameAndNothingElse() throws IOException {
    var libraries = new Libraries(house, Path.of(System.getProperty("terrace.repository")));
    var exceptions = DependencyExceptions.read(RESOURCES.resolve("dependencies.txt"));

    assertThat(Dependencies.breachesOf(house, libraries, exceptions)).isEmpty();
  }

  @Test
  void programsReachNoClassThatNeedsJUnit() {
    assertThat(Programs.breachesOf(house)).isEmpty();
  }

  @Test
  void packagesStandInNoCircleAndNoPartNamesItsFacade() throws IOException {
    Packages packages = Packages.of(house);

    assertThat(packages.cycles()).isEmpty();
    assertThat(packages.namedFacades()).isEmpty();
  }

  @Test
  void packagesOfTestsStandInNoCircleAndNoPartNamesItsFacade() throws IOException {
    Packages packages = Packages.ofTests(house);

    assertThat(packages.cycles()).isEmpty();
    assertThat(packages.namedFacades()).isEmpty();
    assertThat(packages.uses()).hasSizeGreaterThan(50);
  }

  @Test
  void timeAndRandomnessComeFromOutside() throws IOException {
    List<String> exceptions = Files.readAllLines(RESOURCES.resolve("ambient.txt"));

    assertThat(AmbientInputs.breachesOf(house, exceptions)).isEmpty();
  }

  @Test
  void pureCoresGoByWhatTheyAreGivenAlone() throws IOException {
    List<String> cores = Files.readAllLines(RESOURCES.resolve("cores.txt"));

    assertThat(CoreInputs.breachesOf(house, cores)).isEmpty();
  }

  @Test
  void theIndexOfDecisionsIsWhatItsPagesAndTheirFollowersSay() throws IOException {
    assertThat(DecisionIndex.read(ROOT).breaches()).isEmpty();
  }

  @Test
  void whatIsTooMuchOnlyFalls() throws IOException {
    Map<String, List<String>> counts = new TreeMap<>(SourceCounts.of(house));
    List<String> list = Files.readAllLines(RESOURCES.resolve("long-tests.txt"));
    counts.put("tests-left-out", new LongTests(house, list).tagged());

    assertThat(Ratchets.breachesOf(counts, RESOURCES.resolve("ratchets.properties"))).isEmpty();
  }
}
