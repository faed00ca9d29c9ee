package org.terrace.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;

class SearchWordsTest {
  private static final Configuration SMALL =
      new Configuration("1/1/0/1", "postgresql", Map.of(), Map.of());
  private static final Configuration LARGE = SMALL.withServers("app", 2);

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
                new FoundBest(100, SMALL, 1, 2.5, null, null, 3, List.of(LARGE)),
                new FoundBest(200, LARGE, 2, 3.25, 3.0, 3.5, 2, List.of(SMALL)),
                new FoundBest(300, LARGE, 2, 3.25, 3.0, 3.5, 2, List.of())),
            List.of(400, 500),
            List.of());

    assertThat(SearchWords.sentences(answer))
        .containsExactly(
            "The search (guided) ran 7 of the 27 trials of the full mesh, of which 1 failed: 20 were"
                + " saved.",
            "At 100 users 1/1/0/1 postgresql earns most of the 3 tried: 2.50 EUR an hour (n = 1, no"
                + " interval, since no trial was repeated). Nothing can be told apart without"
                + " repeats.",
            "At 200 users 1/2/0/1 postgresql earns most of the 2 tried: 3.25 EUR an hour (n = 2,"
                + " 95 % interval 3.00 to 3.50). It cannot be told from 1/1/0/1 postgresql.",
            "At 300 users 1/2/0/1 postgresql earns most of the 2 tried: 3.25 EUR an hour (n = 2,"
                + " 95 % interval 3.00 to 3.50). All others tried earn less, beyond chance.",
            "At 400 users nothing is known: each of the trials that were run failed.",
            "At 500 users nothing is known: each of the trials that were run failed.");
  }

  @Test
  void theMostUsersAreSaidWithWhatIsNotKnown() {
    SearchAnswer answer =
        new SearchAnswer(
            SearchMethod.BISECTION,
            false,
            20,
            9,
            2,
            SearchAnswer.SERVERS,
            List.of(),
            List.of(),
            List.of(
                new FoundCapacity(SMALL, 3, 80, 120, false, true, 4),
                new FoundCapacity(LARGE, 4, 200, 240, true, true, 4),
                new FoundCapacity(LARGE.withServers("app", 3), 5, null, 40, false, false, 1)));

    assertThat(SearchWords.sentences(answer))
        .containsExactly(
            "The search (bisection) is not over; it ran 9 of the 20 trials of the full mesh, of which"
                + " 2 failed: 11 were not run.",
            "Up to 80 users the cheapest that keeps the agreement is 1/1/0/1 postgresql (3 servers).",
            "Up to 200 users the cheapest that keeps the agreement is 1/2/0/1 postgresql (4 servers).",
            "1/1/0/1 postgresql keeps the agreement up to 80 users, and not at 120 (n = 4).",
            "1/2/0/1 postgresql keeps the agreement up to 200 users; 240 could not be measured (n ="
                + " 4).",
            "1/3/0/1 postgresql keeps the agreement at no load that was tried, and not at 40 (n = 1);"
                + " loads between are not tried yet.");
  }

  /** The greatest load of the mesh is said only of a search that has come to it. */
  @Test
  void noMoreIsSaidThanWasTried() {
    SearchAnswer answer =
        new SearchAnswer(
            SearchMethod.BISECTION,
            false,
            20,
            3,
            0,
            SearchAnswer.SERVERS,
            List.of(),
            List.of(),
            List.of(
                new FoundCapacity(SMALL, 3, 280, null, false, true, 2),
                new FoundCapacity(LARGE, 4, 40, null, false, false, 1),
                new FoundCapacity(LARGE.withServers("app", 3), 5, null, null, false, false, 0)));

    assertThat(SearchWords.sentences(answer))
        .endsWith(
            "1/1/0/1 postgresql keeps the agreement up to 280 users, the greatest load of the mesh (n"
                + " = 2).",
            "1/2/0/1 postgresql keeps the agreement up to 40 users (n = 1); greater loads are not"
                + " tried yet.",
            "1/3/0/1 postgresql is not tried yet.");
  }
}
