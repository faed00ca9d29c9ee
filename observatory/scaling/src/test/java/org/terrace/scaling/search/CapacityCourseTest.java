package org.terrace.scaling.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;

/** The search for the most users of each configuration. */
class CapacityCourseTest {
  private static final Configuration SMALL =
      new Configuration("0/1/0/1", "postgresql", Map.of(), Map.of());
  private static final Configuration LARGE = SMALL.withServers("app", 2);
  private static final int MOST = 1_600;
  private static final int STEP = 100;

  private static SearchCourse course(int repeats) {
    List<SearchCandidate> candidates = new ArrayList<>();
    for (Configuration each : List.of(SMALL, LARGE)) {
      for (int users = STEP; users <= MOST; users += STEP) {
        for (int repeat = 0; repeat < repeats; repeat++) {
          candidates.add(new SearchCandidate(each, users, repeat, users));
        }
      }
    }
    Agreement agreement = new Agreement(100, 0.95);
    return new SearchCourse(
        new SearchRules(SearchMethod.BISECTION, null, 1, agreement, 1), candidates);
  }

  /** The trials of a course over configurations that keep the agreement up to a load each. */
  private static List<MeshTrial> run(
      SearchCourse course, Map<Configuration, Integer> limits, Predicate<SearchCandidate> fails) {
    List<MeshTrial> trials = new ArrayList<>();
    int atMost = course.mostLeft(trials);
    Optional<SearchChoice> next = course.next(trials);
    while (next.isPresent()) {
      SearchCandidate each = next.get().candidate();
      boolean kept = each.users() <= limits.getOrDefault(each.configuration(), 0);
      trials.add(
          fails.test(each)
              ? SyntheticService.failed(each)
              : SyntheticService.counted(each, kept ? 96 : 94, 100));
      assertThat(trials.size() + course.mostLeft(trials)).isLessThanOrEqualTo(atMost);
      next = course.next(trials);
      List<MeshTrial> shuffled = new ArrayList<>(trials);
      Collections.shuffle(shuffled, new Random(trials.size()));
      assertThat(course.next(shuffled)).as("in another order").isEqualTo(next);
    }
    assertThat(course.mostLeft(trials)).isZero();
    return trials;
  }

  @Test
  void theMostUsersOfEachConfigurationAreFound() {
    for (int repeats = 1; repeats <= 2; repeats++) {
      SearchCourse course = course(repeats);
      for (int limit = 0; limit <= MOST + STEP; limit += STEP / 2) {
        Map<Configuration, Integer> limits = Map.of(SMALL, limit, LARGE, MOST - limit / 2);
        List<MeshTrial> trials = run(course, limits, each -> false);

        assertThat(trials).hasSizeLessThanOrEqualTo(repeats * 2 * 6);
        SearchAnswer answer = course.answer(trials).orElseThrow();
        assertThat(answer.capacities())
            .extracting(FoundCapacity::mostUsers)
            .containsExactly(most(limit), most(MOST - limit / 2));
        assertThat(answer.capacities()).allMatch(each -> each.certain() && !each.unmeasured());
      }
    }
  }

  private static Integer most(int limit) {
    return limit < STEP ? null : Integer.valueOf(Math.min(limit, MOST) / STEP * STEP);
  }

  @Test
  void theCheapestThatCarriesEachLoadIsSaid() {
    SearchCourse course = course(1);

    List<MeshTrial> trials = run(course, Map.of(SMALL, 430, LARGE, 990), each -> false);

    SearchAnswer answer = course.answer(trials).orElseThrow();
    assertThat(answer.cheapest())
        .extracting(SearchAnswer.Cheapest::mostUsers, each -> each.carrier().configuration())
        .containsExactly(tuple(400, SMALL), tuple(900, LARGE));
    assertThat(answer.currency()).isEqualTo(SearchAnswer.SERVERS);
    assertThat(answer.saved()).isEqualTo(32 - trials.size());
    SearchAnswer useless =
        course.answer(run(course, Map.of(SMALL, 430, LARGE, 90), each -> false)).orElseThrow();
    assertThat(useless.cheapest())
        .extracting(SearchAnswer.Cheapest::mostUsers)
        .containsExactly(400);
  }

  @Test
  void theConfigurationsTakeTurns() {
    List<MeshTrial> trials = run(course(1), Map.of(SMALL, 430, LARGE, 990), each -> false);

    assertThat(trials.subList(0, 4))
        .extracting(MeshTrial::configuration)
        .containsExactly(SMALL, LARGE, SMALL, LARGE);
  }

  /** One repeat that fails leaves the other; a load of which none is left is named. */
  @Test
  void aLoadThatNoTrialMeasuredIsToldFromOneThatBrokeTheAgreement() {
    SearchCourse course = course(2);
    List<MeshTrial> trials =
        run(
            course,
            Map.of(SMALL, MOST, LARGE, MOST),
            each -> each.configuration().equals(SMALL) ? each.users() > 300 : each.repeat() == 0);

    assertThat(course.answer(trials).orElseThrow().capacities())
        .extracting(FoundCapacity::mostUsers, FoundCapacity::brokenUsers, FoundCapacity::unmeasured)
        .containsExactly(tuple(300, 400, true), tuple(MOST, null, false));
  }

  @Test
  void anInterruptedCourseSaysWhatItKnows() {
    SearchCourse course = course(1);
    List<MeshTrial> trials = run(course, Map.of(SMALL, 430, LARGE, 990), each -> false);

    SearchAnswer answer = course.answer(trials.subList(0, 5)).orElseThrow();

    assertThat(answer.complete()).isFalse();
    assertThat(answer.capacities().getFirst().certain()).isFalse();
    assertThat(answer.capacities().getFirst().mostUsers()).isNotNull();
  }
}
