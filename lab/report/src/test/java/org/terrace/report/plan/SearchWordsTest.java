package org.terrace.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.FoundLoad;
import org.terrace.scaling.economy.FoundLoad.Verdict;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;

class SearchWordsTest {
  private static final Configuration SMALL =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());
  private static final Configuration LARGE = SMALL.withServers("app", 2);
  private static final ConfigurationNames NAMES = ConfigurationNames.of(List.of(SMALL, LARGE));

  @Test
  void whatEarnsMostIsSaidWithItsTrialsItsIntervalAndItsRivals() {
    SearchAnswer answer =
        new SearchAnswer(
            SearchMethod.GUIDED,
            true,
            27,
            7,
            1,
            "EUR",
            List.of(
                new FoundBest(100, SMALL, 1, 2.5, null, null, 3, List.of(LARGE), 0, List.of()),
                new FoundBest(200, LARGE, 2, 3.25, 3.0, 3.5, 2, List.of(SMALL), 0, List.of()),
                new FoundBest(300, LARGE, 2, 3.25, 3.0, 3.5, 2, List.of(), 0, List.of())),
            List.of(400, 500),
            List.of());

    assertThat(SearchWords.sentences(answer, NAMES))
        .containsExactly(
            "The search (guided) ran 7 of the 27 trials of the full mesh, of which 1 failed: 20 were"
                + " saved.",
            "At 100 users 1/1/0/1 earns most of the 3 tried: 2.50 EUR an hour (n = 1, no"
                + " interval, since no trial like it was repeated). Nothing can be told apart without"
                + " repeats.",
            "At 200 users 1/2/0/1 earns most of the 2 tried: 3.25 EUR an hour (n = 2,"
                + " 95 % interval 3.00 to 3.50). It cannot be told from 1/1/0/1.",
            "At 300 users 1/2/0/1 earns most of the 2 tried: 3.25 EUR an hour (n = 2,"
                + " 95 % interval 3.00 to 3.50). All others tried earn less, beyond chance.",
            "At 400 users nothing is known: most trials of each configuration that was tried"
                + " failed.",
            "At 500 users nothing is known: most trials of each configuration that was tried"
                + " failed.");
  }

  @Test
  void whatFailedIsNotSaidToEarnLess() {
    SearchAnswer answer =
        new SearchAnswer(
            SearchMethod.GUIDED,
            true,
            27,
            7,
            3,
            "EUR",
            List.of(
                new FoundBest(100, LARGE, 2, 3.25, 3.0, 3.5, 2, List.of(), 0, List.of(SMALL)),
                new FoundBest(200, LARGE, 2, 3.25, 3.0, 3.5, 2, List.of(SMALL), 1, List.of())),
            List.of(),
            List.of());

    assertThat(SearchWords.sentences(answer, NAMES))
        .endsWith(
            "At 100 users 1/2/0/1 earns most of the 2 tried: 3.25 EUR an hour (n = 2,"
                + " 95 % interval 3.00 to 3.50). All others that were measured earn less, beyond"
                + " chance. Of the trials there some of 1/1/0/1 failed, of which nothing is told"
                + " beyond chance.",
            "At 200 users 1/2/0/1 earns most of the 2 tried: 3.25 EUR an hour (n = 2,"
                + " 95 % interval 3.00 to 3.50). It cannot be told from 1/1/0/1. Of the trials there"
                + " 1 of its own failed, of which nothing is told beyond chance.");
  }

  @Test
  void oneIsNotSaidInThePlural() {
    SearchAnswer answer =
        new SearchAnswer(
            SearchMethod.FULL, true, 1, 1, 1, "EUR", List.of(), List.of(100), List.of());

    assertThat(SearchWords.effort(answer))
        .isEqualTo("1 of all 1 trial was run, of which 1 failed.");
  }

  private static final FoundLoad KEPT =
      new FoundLoad(80, Verdict.KEPT, 1, 0, 1_200, 0.981, 0.972, 0.987);
  private static final FoundLoad UNCERTAIN =
      new FoundLoad(120, Verdict.UNCERTAIN, 1, 1, 1_500, 0.951, 0.939, 0.961);
  private static final FoundLoad BROKEN =
      new FoundLoad(160, Verdict.BROKEN, 1, 0, 1_600, 0.5, 0.476, 0.524);
  private static final String SHARE_OF_KEPT =
      "(98.1 % of 1,200 requests, 95 % interval 97.2 to 98.7, n = 1)";
  private static final String INDEPENDENT =
      "The intervals take requests for independent, since no trial was repeated: they may be too"
          + " narrow.";

  private static SearchAnswer bisection(boolean complete, FoundCapacity... found) {
    return new SearchAnswer(
        SearchMethod.BISECTION,
        complete,
        20,
        9,
        2,
        SearchAnswer.SERVERS,
        List.of(),
        List.of(),
        List.of(found));
  }

  @Test
  void theMostUsersAreSaidWithWhatIsNotKnown() {
    SearchAnswer answer =
        bisection(
            false,
            new FoundCapacity(SMALL, 3, 80, 160, false, true, 4, List.of(KEPT, UNCERTAIN, BROKEN)),
            new FoundCapacity(
                LARGE, 4, 80, 240, true, false, 4, List.of(KEPT, FoundLoad.unmeasured(240, 2))),
            new FoundCapacity(
                LARGE.withServers("app", 3), 5, null, 160, false, true, 1, List.of(BROKEN)));

    assertThat(SearchWords.sentences(answer, NAMES))
        .containsExactly(
            "The search (bisection) is not over; it ran 9 of the 20 trials of the full mesh, of which"
                + " 2 failed: 11 were not run.",
            "Up to 80 users the cheapest that keeps the agreement is 1/1/0/1 (3 servers).",
            "1/1/0/1 keeps the agreement up to 80 users "
                + SHARE_OF_KEPT
                + ", may keep it or not at 120 (95.1 % of 1,500 requests, 95 % interval 93.9 to 96.1,"
                + " n = 1; 1 trial failed), does not keep it at 160 (50.0 % of 1,600 requests, 95 % interval 47.6 to"
                + " 52.4, n = 1).",
            "1/2/0/1 keeps the agreement up to 80 users "
                + SHARE_OF_KEPT
                + ", could not be measured at 240 (2 trials failed); not all loads between are"
                + " tried.",
            "1/3/0/1 does not keep the agreement at 160 (50.0 % of 1,600 requests, 95 % interval"
                + " 47.6 to 52.4, n = 1).",
            INDEPENDENT);
  }

  /** The greatest load of the mesh is said only of a search that has come to it. */
  @Test
  void noMoreIsSaidThanWasTried() {
    SearchAnswer answer =
        bisection(
            false,
            new FoundCapacity(SMALL, 3, 80, null, false, true, 2, List.of(KEPT)),
            new FoundCapacity(LARGE, 4, 80, null, false, false, 1, List.of(KEPT)),
            new FoundCapacity(
                LARGE.withServers("app", 3), 5, null, null, false, false, 0, List.of()));

    assertThat(SearchWords.sentences(answer, NAMES))
        .endsWith(
            "1/1/0/1 keeps the agreement up to 80 users "
                + SHARE_OF_KEPT
                + ", the greatest load of the mesh.",
            "1/2/0/1 keeps the agreement up to 80 users "
                + SHARE_OF_KEPT
                + "; not all greater loads are tried.",
            "1/3/0/1 is not tried yet.",
            INDEPENDENT);
  }
}
