package org.terrace.studies.scaleout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.studies.design.PublishedClaim;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyContext;

/**
 * Judges trials that are planted: first such as agree with every claim, then the same with the one
 * thing changed that a claim is about.
 */
class ScaleOutClaimsTest {
  private static final List<String> OF_NODES =
      List.of("ndb-below-middleware", "ndb-four-data-nodes", "ndb-sql-nodes-idle");

  private static final Study STUDY =
      new Study(
          "scale-out",
          "a paper",
          "127.35",
          1,
          ScaleOutClaims.IDS.stream()
              .map(id -> new PublishedClaim(id, "a figure", "a claim", "a value"))
              .toList(),
          context -> {
            throw new IllegalStateException("nothing runs here");
          },
          context -> {
            throw new IllegalStateException("nothing runs here");
          });

  /** The context of findings, with which nothing is run. */
  private static final StudyContext CONTEXT =
      new StudyContext(STUDY, false, Path.of("."), Path.of("."), null, null, List.of(), null);

  private static Map<String, Claim> claims(ScaleOutResults results) {
    Map<String, Claim> claims = new TreeMap<>();
    for (Claim claim : ScaleOutClaims.judge(STUDY, results)) {
      assertThat(claims.put(claim.id(), claim)).as(claim.id()).isNull();
    }
    return claims;
  }

  @Test
  void trialsThatAgreeReproduceAll() {
    Map<String, Claim> claims = claims(PlantedMesh.agreeing().results());

    assertThat(claims.keySet()).containsExactlyInAnyOrderElementsOf(ScaleOutClaims.IDS);
    claims.forEach((id, claim) ->
        assertThat(claim.verdict()).as(id + ": " + claim.measured()).isEqualTo(Verdict.REPRODUCED));
  }

  @Test
  void withoutTrialsNothingIsTold() {
    claims(PlantedMesh.empty().results())
        .forEach((id, claim) -> assertThat(claim.verdict()).as(id).isEqualTo(Verdict.CANNOT_TELL));
  }

  @Test
  void whatTheMachineLacksIsTheReasonOfEveryClaim() {
    ScaleOutResults planted = PlantedMesh.agreeing().results();
    ScaleOutResults refused =
        ScaleOutResults.of(planted.parameters(), planted.mesh(), "no control groups", "", 1);

    assertThat(claims(refused).values())
        .allMatch(claim -> claim.verdict() == Verdict.CANNOT_TELL)
        .allMatch(claim -> claim.measured().equals("no control groups"));
  }

  @Test
  void missingPackagesAreTheReasonOfTheClaimsAboutNodesAlone() {
    ScaleOutResults planted = PlantedMesh.agreeing().results();
    String reason = "packages are missing: ./terrace doctor --fetch";
    claims(ScaleOutResults.of(planted.parameters(), planted.mesh(), "", reason, 1))
        .forEach((id, claim) -> {
          if (OF_NODES.contains(id)) {
            assertThat(claim.verdict()).isEqualTo(Verdict.CANNOT_TELL);
            assertThat(claim.measured()).isEqualTo(reason);
          } else {
            assertThat(claim.verdict()).as(id).isEqualTo(Verdict.REPRODUCED);
          }
        });
  }

  @Test
  void whereMostTrialsOfAllFailedTheReportSaysSoAndTellsNothing() {
    ScaleOutResults results = PlantedMesh.agreeing().failing(_ -> true).results();
    assertThat(claims(results).values())
        .allMatch(claim -> claim.verdict() == Verdict.CANNOT_TELL)
        .allMatch(claim -> claim.measured().contains("most trials failed"));

    StudyFindings findings = new ScaleOutFindings(CONTEXT, results).toStudyFindings();
    assertThat(findings.study().summary())
        .contains("most trials failed of each configuration under each load")
        .contains(PlantedMesh.FAILURE);
  }

  /** Nothing that earns can be compared, but what is only read was measured. */
  @Test
  void whereMostTrialsOfTheMixThatEarnsFailedProfitsAreNotTold() {
    ScaleOutResults results =
        PlantedMesh.agreeing()
            .failing(setting -> setting.mix().equals(ScaleOutSetting.READ_WRITE))
            .results();

    assertThat(claims(results))
        .extractingByKeys("profit-before-revenue", "size-depends-on-load", "size-depends-on-model")
        .allMatch(claim -> claim.verdict() == Verdict.CANNOT_TELL)
        .allMatch(claim -> claim.measured().contains("most trials failed"));
    assertThat(new ScaleOutFindings(CONTEXT, results).toStudyFindings().claims()).isNotEmpty();
  }

  @Test
  void nodesAreRunWhereTheyCanBeAndUnderTheLoadsThatTheirClaimsNeed() {
    ScaleOutMesh with = new ScaleOutMesh(PlantedMesh.PARAMETERS, true, "127.35", 1);
    ScaleOutMesh without = new ScaleOutMesh(PlantedMesh.PARAMETERS, false, "127.35", 1);
    assertThat(without.settings()).noneMatch(ScaleOutSetting::isNdbLike);
    assertThat(without.specification().trials())
        .noneMatch(trial -> trial.configuration().database().equals(ScaleOutSetting.NDB_LIKE));
    assertThat(with.specification().trials())
        .filteredOn(trial -> trial.configuration().database().equals(ScaleOutSetting.NDB_LIKE))
        .extracting(trial -> trial.configuration().topology() + " " + trial.users())
        .containsOnly("1/2/2/2 120", "1/2/2/2 300", "1/2/2/4 120", "1/2/2/4 300")
        .hasSize(12);
  }

  /** Saturation that never ends tells nothing of whether it depends on the others. */
  @Test
  void ofDatabasesThatAreAlwaysSaturatedIndependenceIsNotTold() {
    ScaleOutSetting first = ScaleOutSetting.lowCost(2, 4).first();
    Claim claim =
        claims(PlantedMesh.agreeing().throughout(first).results())
            .get("low-cost-wait-first-concurrent");

    assertThat(claim.verdict()).as(claim.measured()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(claim.measured()).contains("saturated throughout");
  }

  private static Arguments planted(String id, UnaryOperator<PlantedMesh> change) {
    return Arguments.of(id, change);
  }

  /** Changes that make a claim fail, each for the reason that its sentence gives. */
  static Stream<Arguments> contradictions() {
    ScaleOutSetting low = ScaleOutSetting.lowCost(2, 4);
    ScaleOutSetting two = ScaleOutSetting.postgres(2, 2);
    ScaleOutSetting direct = ScaleOutSetting.postgres(2, 1).direct();
    return Stream.of(
        planted("mysql-one-database", mesh -> mesh.carries(ScaleOutSetting.mariaDb(3, 1), 90)),
        planted(
            "mysql-one-application-server",
            mesh -> mesh.carries(ScaleOutSetting.mariaDb(1, 2), 60)),
        planted("mysql-both-scaled", mesh -> mesh.carries(ScaleOutSetting.mariaDb(2, 2), 40)),
        planted("mysql-third-group", mesh -> mesh.carries(ScaleOutSetting.mariaDb(2, 4), 105)),
        planted(
            "mysql-strategies-alike",
            mesh -> mesh.carries(ScaleOutSetting.mariaDb(2, 4).first(), 105)),
        planted("mysql-processors-only", ScaleOutClaimsTest::allIdle),
        planted("mysql-middleware-last", mesh -> mesh.busy(ScaleOutSetting.mariaDb(2, 4), "app1")),
        planted(
            "browsing-gains-more",
            mesh -> mesh.carries(ScaleOutSetting.mariaDb(2, 4).browsed(), 60)),
        planted("postgres-two-thirds", mesh -> mesh.carries(two, 100)),
        planted("postgres-wait-all-costs", mesh -> mesh.carries(two.first(), 53)),
        planted("postgres-idle-processors", mesh -> mesh.busy(two, "database2")),
        planted(
            "postgres-servers-do-not-help",
            mesh -> mesh.carries(ScaleOutSetting.postgres(2, 1), 30)),
        planted("postgres-without-middleware", mesh -> mesh.busy(direct, "none")),
        planted("ndb-below-middleware", mesh -> mesh.carries(ScaleOutSetting.ndbLike(2, 2), 80)),
        planted("ndb-four-data-nodes", mesh -> mesh.carries(ScaleOutSetting.ndbLike(2, 4), 50)),
        planted(
            "ndb-sql-nodes-idle", mesh -> mesh.busy(ScaleOutSetting.ndbLike(2, 4), "middleware2")),
        planted(
            "low-cost-shifting",
            mesh ->
                mesh.shifting(ScaleOutSetting.lowCost(2, 1))
                    .steadyDisk(ScaleOutSetting.lowCost(2, 1))),
        planted("low-cost-replicas-help", mesh -> mesh.carries(ScaleOutSetting.lowCost(2, 2), 20)),
        planted("low-cost-wait-all-stops", mesh -> mesh.carries(low, 45)),
        planted("low-cost-oscillatory", mesh -> mesh.atTimes(low)),
        planted("low-cost-hidden", mesh -> mesh.busy(low, "database1")),
        planted("low-cost-wait-first-grows", mesh -> mesh.carries(low.first(), 20)),
        planted("low-cost-wait-first-concurrent", mesh -> mesh.inTurns(low.first())),
        planted("low-cost-wait-first-concurrent", mesh -> mesh.together(low.first())),
        planted("low-cost-wait-first-more", mesh -> mesh.carries(low.first(), 30)),
        planted(
            "low-cost-growth-diminishes",
            mesh -> mesh.carries(ScaleOutSetting.lowCost(2, 2).first(), 22)),
        planted("low-cost-below-normal", mesh -> mesh.carries(ScaleOutSetting.lowCost(2, 2), 80)),
        planted("profit-before-revenue", mesh -> mesh.overloaded(0.5, 0)),
        planted("size-depends-on-load", ScaleOutClaimsTest::oneForAll),
        planted("size-depends-on-model", ScaleOutClaimsTest::oneForAll));
  }

  private static PlantedMesh allIdle(PlantedMesh mesh) {
    for (ScaleOutSetting setting :
        List.of(
            ScaleOutSetting.mariaDb(1, 1),
            ScaleOutSetting.mariaDb(1, 2),
            ScaleOutSetting.mariaDb(2, 1),
            ScaleOutSetting.mariaDb(3, 1),
            ScaleOutSetting.mariaDb(2, 2),
            ScaleOutSetting.mariaDb(2, 4),
            ScaleOutSetting.mariaDb(2, 4).first())) {
      mesh.busy(setting, "none");
    }
    return mesh;
  }

  /** Of two numbers of servers the smaller carries all loads, and is best at every price. */
  private static PlantedMesh oneForAll(PlantedMesh mesh) {
    return PlantedMesh.empty()
        .carries(ScaleOutSetting.mariaDb(2, 2), 80)
        .carries(ScaleOutSetting.mariaDb(2, 4), 80);
  }

  @ParameterizedTest
  @MethodSource("contradictions")
  void aContradictionIsSeen(String id, UnaryOperator<PlantedMesh> change) {
    Claim claim = claims(change.apply(PlantedMesh.agreeing()).results()).get(id);

    assertThat(claim.verdict()).as(claim.measured()).isEqualTo(Verdict.NOT_REPRODUCED);
  }

  @Test
  void everyClaimHasAContradiction() {
    assertThat(contradictions().map(each -> (String) each.get()[0]).distinct())
        .containsExactlyElementsOf(ScaleOutClaims.IDS);
  }

  @Test
  void figuresOfThePaperAreDrawn() {
    assertThat(new ScaleOutFigures(PlantedMesh.agreeing().results()).figures())
        .extracting(figure -> figure.title().replaceAll(":.*", ""))
        .containsExactly(
            "Figure 2(a)",
            "Figure 2(b)",
            "Figure 2(c)",
            "Figure 2(d)",
            "Figure 2(e)",
            "Figure 2(f)",
            "Figure 2(g)",
            "Figure 4",
            "Figure 5",
            "Figure 6(a)",
            "Figure 6(b) and (c)",
            "Figure 7",
            "Figure 8");
    assertThat(new ScaleOutFigures(PlantedMesh.empty().results()).figures()).isEmpty();
  }
}
