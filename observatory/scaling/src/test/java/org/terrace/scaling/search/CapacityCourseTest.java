package org.terrace.scaling.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

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
import org.terrace.scaling.economy.FoundLoad;
import org.terrace.scaling.economy.FoundLoad.Verdict;
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
              : SyntheticService.counted(each, kept ? 9_600 : 9_400, 10_000));
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
        .containsExactly(tuple(300, 400, true), tuple(null, null, false));
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

  private static FoundLoad load(SearchCourse course, long... good) {
    List<MeshTrial> trials = new ArrayList<>();
    for (int repeat = 0; repeat < good.length; repeat++) {
      SearchCandidate each = new SearchCandidate(SMALL, STEP, repeat, STEP);
      trials.add(
          good[repeat] < 0
              ? SyntheticService.failed(each)
              : SyntheticService.counted(each, good[repeat], 1_000));
    }
    return capacity(course, trials).load(STEP).orElseThrow();
  }

  private static FoundCapacity capacity(SearchCourse course, List<MeshTrial> trials) {
    return course.answer(trials).orElseThrow().capacities().getFirst();
  }

  /** A verdict is that of the interval: at exactly the share it cannot be told. */
  @Test
  void whatChanceMayHaveDoneIsNotTold() {
    assertThat(load(course(1), 940).verdict()).isEqualTo(Verdict.UNCERTAIN);
    assertThat(load(course(1), 950).verdict()).isEqualTo(Verdict.UNCERTAIN);
    assertThat(load(course(1), 960).verdict()).isEqualTo(Verdict.UNCERTAIN);
    assertThat(load(course(1), 970).verdict()).isEqualTo(Verdict.KEPT);
    assertThat(load(course(1), 930).verdict()).isEqualTo(Verdict.BROKEN);
    FoundLoad told = load(course(1), 970);
    assertThat(told.trials()).isEqualTo(1);
    assertThat(told.requests()).isEqualTo(1_000);
    assertThat(told.share()).isEqualTo(0.97);
    // Wilson's interval of 970 of 1,000, worked out by hand.
    assertThat(told.low()).isCloseTo(0.9575, within(0.0001));
    assertThat(told.high()).isCloseTo(0.9789, within(0.0001));
  }

  /** Repeats that differ by more than chance make an interval wide; failed ones are not counted. */
  @Test
  void repeatsThatDifferWidenTheInterval() {
    FoundLoad alike = load(course(3), 970, 971, 969);
    FoundLoad unlike = load(course(3), 999, 941, 970);
    FoundLoad partly = load(course(3), 970, -1, 970);

    assertThat(alike.verdict()).isEqualTo(Verdict.KEPT);
    assertThat(unlike.share()).isCloseTo(alike.share(), within(1e-9));
    assertThat(unlike.verdict()).isEqualTo(Verdict.UNCERTAIN);
    assertThat(partly.trials()).isEqualTo(2);
    assertThat(partly.failed()).isEqualTo(1);
  }

  /**
   * Loads far below the knee, which are answered wholly, say nothing of how trials differ there.
   */
  @Test
  void loadsThatAreAnsweredWhollyMakeNoVerdictOnAnother() {
    SearchCourse course = course(3);
    List<MeshTrial> trials = new ArrayList<>();
    long[] good = {999, 941, 970};
    for (int users = STEP; users <= 8 * STEP; users += STEP) {
      for (int repeat = 0; repeat < good.length; repeat++) {
        SearchCandidate each = new SearchCandidate(SMALL, users, repeat, users);
        long counted = users == 8 * STEP ? good[repeat] : 1_000;
        trials.add(SyntheticService.counted(each, counted, 1_000));
      }
    }

    FoundCapacity found = capacity(course, trials);
    assertThat(found.load(8 * STEP).orElseThrow().verdict()).isEqualTo(Verdict.UNCERTAIN);
    assertThat(found.load(STEP).orElseThrow().verdict()).isEqualTo(Verdict.KEPT);
  }

  /** No interval ends at 1, so an agreement on all requests goes by what was counted. */
  @Test
  void anAgreementOnAllRequestsIsKeptByAll() {
    Agreement all = new Agreement(100, 1);
    SearchCandidate candidate = new SearchCandidate(SMALL, STEP, 0, STEP);
    SearchCourse course =
        new SearchCourse(
            new SearchRules(SearchMethod.BISECTION, null, 1, all, 1), List.of(candidate));
    MeshTrial kept = SyntheticService.counted(candidate, 1_000, 1_000);
    MeshTrial broken = SyntheticService.counted(candidate, 999, 1_000);

    assertThat(capacity(course, List.of(kept)).mostUsers()).isEqualTo(STEP);
    assertThat(capacity(course, List.of(broken)).brokenUsers()).isEqualTo(STEP);
  }

  /** The trials that were done of a load that killed others are those that survived it. */
  @Test
  void aLoadThatKilledATrialKeepsNothingSurely() {
    assertThat(load(course(3), 990, 990, 990).verdict()).isEqualTo(Verdict.KEPT);
    assertThat(load(course(3), 990, -1, -1).verdict()).isEqualTo(Verdict.UNCERTAIN);
    assertThat(load(course(3), 990, 990, -1).verdict()).isEqualTo(Verdict.UNCERTAIN);
    assertThat(load(course(3), 700, 710, -1).verdict()).isEqualTo(Verdict.BROKEN);
    assertThat(load(course(3), 990, 990, -1).failed()).isEqualTo(1);

    SearchCourse course = course(3);
    List<MeshTrial> trials =
        run(
            course,
            Map.of(SMALL, 800, LARGE, 800),
            each -> each.configuration().equals(SMALL) && each.users() > 400 && each.repeat() > 0);
    SearchAnswer answer = course.answer(trials).orElseThrow();
    FoundCapacity small = answer.capacities().getFirst();
    assertThat(small.mostUsers()).isEqualTo(400);
    assertThat(small.uncertain()).extracting(FoundLoad::users).contains(800);
    assertThat(answer.cheapest().getLast().carrier().configuration()).isEqualTo(LARGE);
  }

  /** A search that has ended is certain only where it tried every load of the gap that it tells. */
  @Test
  void aGapWithLoadsThatWereNotTriedIsNotCertain() {
    SearchCourse course = course(1);
    List<MeshTrial> trials = run(course, Map.of(SMALL, 800, LARGE, 800), each -> false);
    FoundCapacity found = capacity(course, trials);
    assertThat(found.mostUsers()).isEqualTo(800);
    assertThat(found.brokenUsers()).isEqualTo(900);
    assertThat(found.certain()).isTrue();
  }

  /** Loads of which nothing can be told lie between the most users and the fewest that break. */
  @Test
  void theLoadsBetweenAreNamed() {
    SearchCourse course = course(1);
    List<MeshTrial> trials = new ArrayList<>();
    Optional<SearchChoice> next = course.next(trials);
    while (next.isPresent()) {
      SearchCandidate each = next.get().candidate();
      long good = each.users() < 400 ? 990 : each.users() == 400 ? 948 : 800;
      trials.add(SyntheticService.counted(each, good, 1_000));
      next = course.next(trials);
    }

    FoundCapacity found = capacity(course, trials);

    assertThat(found.certain()).as("500 to 700 were not tried").isFalse();
    assertThat(found.mostUsers()).isEqualTo(300);
    assertThat(found.uncertain()).extracting(FoundLoad::users).containsExactly(400);
    assertThat(found.brokenUsers()).isEqualTo(800);
  }
}
