package org.terrace.groups.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.View;
import org.terrace.groups.membership.Membership;
import org.terrace.groups.membership.MembershipEffect;
import org.terrace.groups.membership.MembershipEvent;
import org.terrace.groups.membership.MembershipMessage;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

class MembershipSimulationTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int HISTORIES = 200;

  private final Map<String, SimulatedGroup> groups = new HashMap<>();
  private final List<String> views = new ArrayList<>();

  private Simulation world(long seed, SimulationOptions options, List<String> names) {
    groups.clear();
    views.clear();
    Simulation simulation = new Simulation(seed, options);
    for (String name : names) {
      simulation.addNode(
          name,
          node -> {
            SimulatedGroup group = new SimulatedGroup(node, MembershipOptions.defaults(), names);
            groups.put(name, group);
            group.watch(view -> views.add(simulation.nowNanos() + " " + view));
          });
    }
    return simulation;
  }

  private Set<String> seenBy(String name) {
    return groups.get(name).view().members().stream().map(Member::name).collect(Collectors.toSet());
  }

  private boolean allSee(Set<String> names) {
    return names.stream().allMatch(name -> seenBy(name).equals(names));
  }

  @Test
  void membersFindEachOther() {
    Simulation simulation = world(1, SimulationOptions.calm(), List.of("a", "b", "c"));

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b", "c")), SECOND)).isTrue();
  }

  @Test
  void aProcessThatRestartsAThousandTimesLocksNobodyOut() {
    List<String> names = List.of("a", "b", "c", "d");
    Simulation simulation = world(31, SimulationOptions.calm(), names);
    simulation.runFor(SECOND);
    simulation.node("d").crash();
    for (int i = 0; i < 1_000; i++) {
      simulation.node("c").crash();
      simulation.runFor(SECOND / 2);
      simulation.node("c").restart();
      assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b", "c")), 2 * SECOND))
          .as("restart %d", i)
          .isTrue();
    }
    simulation.node("d").restart();

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b", "c", "d")), 2 * SECOND)).isTrue();
  }

  @Test
  void anEarlierIncarnationIsToldThatALaterOneIsKnown() {
    Member a = member("a", 1);
    Member later = member("c", 3);
    Member earlier = member("c", 2);
    Membership ofA = membership(a);
    ofA.step(0, new MembershipEvent.Received(greeting(later)));
    List<MembershipEffect> answer = ofA.step(1, new MembershipEvent.Received(greeting(earlier)));
    MembershipMessage told =
        answer.stream()
            .filter(MembershipEffect.Send.class::isInstance)
            .map(effect -> ((MembershipEffect.Send) effect).message())
            .findFirst()
            .orElseThrow();

    assertThat(membership(earlier).step(2, new MembershipEvent.Received(told)))
        .contains(new MembershipEffect.Outdated(later));
    assertThat(membership(earlier).step(2, new MembershipEvent.Received(greeting(later))))
        .as("two processes of one name that meet nobody else")
        .contains(new MembershipEffect.Outdated(later));
    assertThat(ofA.view().members()).containsExactlyInAnyOrder(a, later);
  }

  @Test
  void ofTwoWithoutACommonVersionWhoeverComesLaterGivesWay() {
    int least = Group.PROTOCOL_VERSION_LEAST;
    int most = Group.PROTOCOL_VERSION;
    InetSocketAddress there = InetSocketAddress.createUnresolved("there", 1);
    Membership alone = membership(member("a", 1));
    Membership joined = membership(member("b", 1));
    joined.step(0, new MembershipEvent.Received(greeting(member("c", 1))));
    int[] others = {least - 1, most + 1};
    for (int theirs : others) {
      boolean isEarlier = theirs < least;
      assertThat(alone.step(1, new MembershipEvent.Incompatible(there, theirs, 0)))
          .as("a greeting is refused, and changes nothing")
          .containsExactly(
              new MembershipEffect.Refuse(there, isEarlier ? least : most, 1),
              new MembershipEffect.Incompatible(there, theirs, false));
      assertThat(alone.step(1, new MembershipEvent.Incompatible(there, theirs, 2)))
          .as("a group is stronger")
          .containsExactly(new MembershipEffect.Incompatible(there, theirs, true));
      assertThat(alone.step(1, new MembershipEvent.Incompatible(there, theirs, 1)))
          .as("of two that are alone the later version gives way")
          .containsExactly(new MembershipEffect.Incompatible(there, theirs, isEarlier));
      assertThat(joined.step(1, new MembershipEvent.Incompatible(there, theirs, 5)))
          .as("nobody leaves a group for another")
          .containsExactly(new MembershipEffect.Incompatible(there, theirs, false));
    }
  }

  private static Member member(String name, int second) {
    long start = 1_700_000_000L * SECOND + second * SECOND;
    return new Member(name, Member.idAt(name, start), InetSocketAddress.createUnresolved(name, 1));
  }

  private static Membership membership(Member self) {
    return new Membership(self, MembershipOptions.defaults(), new Random(1), 0);
  }

  private static MembershipMessage greeting(Member from) {
    return new MembershipMessage(
        MembershipMessage.Kind.SYNC, from, ProtocolVersions.ofThisBuild(), 0, 1, null, List.of());
  }

  @Test
  void aCrashIsNoticedAndRememberedAsLost() {
    Simulation simulation = world(2, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    simulation.node("c").crash();

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b")), 3 * SECOND)).isTrue();
    assertThat(groups.get("a").view().lost()).extracting(Member::name).containsExactly("c");
  }

  @Test
  void aProcessThatEndsOnALiveMachineIsNoticedAtOnce() {
    Simulation simulation = world(8, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    simulation.node("c").crash();

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b")), SECOND / 20)).isTrue();
    assertThat(groups.get("a").view().lost()).extracting(Member::name).containsExactly("c");
  }

  @Test
  void aMachineThatFallsSilentIsNoticedByProbesAlone() {
    Simulation simulation = world(9, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    simulation.partition(Set.of("c"));
    simulation.node("c").crash();
    simulation.runFor(SECOND / 5);
    assertThat(seenBy("a")).contains("c");

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b")), 3 * SECOND)).isTrue();
  }

  @Test
  void connectionsThatEndForNoReasonExpelNobody() {
    Simulation simulation = world(10, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    int before = views.size();
    for (int i = 0; i < 100; i++) {
      groups.get("a").loseConnection(groups.get("b").self());
      simulation.runFor(SECOND / 10);
    }

    assertThat(views).hasSize(before);
  }

  @Test
  void aMemberThatIsFalselyTakenForEndedDefendsItself() {
    Simulation simulation = world(11, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    groups.get("a").loseConnection(groups.get("b").self());
    groups.get("a").refuseConnection(groups.get("b").self());
    assertThat(seenBy("a")).containsExactlyInAnyOrder("a", "c");

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b", "c")), SECOND / 20)).isTrue();
  }

  @Test
  void aGoodbyeIsBelievedAtOnceAndNotRememberedAsLost() {
    Simulation simulation = world(3, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    groups.get("c").close();

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b")), SECOND / 10)).isTrue();
    assertThat(groups.get("a").view().lost()).isEmpty();
  }

  @Test
  void aRestartIsANewMemberInPlaceOfTheOld() {
    Simulation simulation = world(4, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    Member before = groups.get("c").self();
    simulation.node("c").crash();
    simulation.node("c").shiftClock(-3_600 * SECOND);
    simulation.node("c").restart();
    simulation.runFor(SECOND);

    Member after = groups.get("c").self();
    View view = groups.get("a").view();
    assertThat(after.id()).isGreaterThan(before.id());
    assertThat(view.members()).contains(after).doesNotContain(before);
    assertThat(view.lost()).isEmpty();
  }

  @Test
  void aPartitionSplitsTheViewsAndHealingMendsThemWithinTwoSeconds() {
    Simulation simulation = world(5, SimulationOptions.calm(), List.of("a", "b", "c"));
    simulation.runFor(SECOND);
    simulation.partition(Set.of("a"));
    assertThat(
            simulation.runUntil(
                () -> seenBy("a").equals(Set.of("a")) && seenBy("b").equals(Set.of("b", "c")),
                10 * SECOND))
        .isTrue();
    simulation.heal();

    assertThat(simulation.runUntil(() -> allSee(Set.of("a", "b", "c")), 2 * SECOND)).isTrue();
  }

  @Test
  void aShortPauseExpelsNobody() {
    Simulation simulation = world(6, SimulationOptions.calm(), List.of("a", "b", "c", "d"));
    simulation.runFor(SECOND);
    int before = views.size();
    simulation.node("b").pause();
    simulation.runFor(SECOND / 2);
    simulation.node("b").resume();
    simulation.runFor(5 * SECOND);

    assertThat(views).hasSize(before);
  }

  @Test
  void aMemberThatOneOtherCannotReachIsNotExpelled() {
    Simulation simulation = world(7, SimulationOptions.calm(), List.of("a", "b", "c", "d"));
    simulation.runFor(SECOND);
    int before = views.size();
    simulation.cut("a", "b");
    simulation.cut("b", "a");
    simulation.runFor(20 * SECOND);

    assertThat(views).hasSize(before);
  }

  @Test
  void thirtyPercentLossExpelsHardlyAnybody() {
    long seed = Seeds.next("thirtyPercentLossExpelsHardlyAnybody");
    List<String> names = List.of("a", "b", "c", "d", "e");
    Simulation simulation = world(seed, SimulationOptions.lossy(0.3), names);
    simulation.runFor(10 * SECOND);
    int before = views.size();
    simulation.runFor(120 * SECOND);

    // Somebody was expelled, and came back, in one of twelve runs, which makes eight views; that it
    // happens six times in a run has a probability below 1e-6.
    assertThat(views.size() - before).isLessThanOrEqualTo(40);
    assertThat(simulation.runUntil(() -> allSee(Set.copyOf(names)), 10 * SECOND)).isTrue();
  }

  @Test
  void everyHistoryOfFaultsEndsInOneView() {
    for (long seed : Seeds.histories("everyHistoryOfFaultsEndsInOneView", HISTORIES)) {
      var random = Seeds.generator(seed);
      List<String> names = List.of("a", "b", "c", "d", "e").subList(0, 2 + random.nextInt(4));
      Simulation simulation = world(seed, SimulationOptions.swarm(random), names);
      FaultPlan.swarm(random).unleash(simulation, 3 * SECOND);
      simulation.runFor(3 * SECOND);
      simulation.setLossProbability(0);

      assertThat(simulation.runUntil(() -> allSee(Set.copyOf(names)), 30 * SECOND))
          .as("seed %d: %s", seed, views)
          .isTrue();
    }
  }
}
