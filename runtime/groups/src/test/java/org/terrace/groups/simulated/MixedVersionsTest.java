package org.terrace.groups.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.membership.Membership;
import org.terrace.groups.membership.MembershipEffect;
import org.terrace.groups.membership.MembershipEvent;
import org.terrace.groups.membership.MembershipMessage;
import org.terrace.groups.membership.Rumor;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Groups of members of two versions of the protocol, on simulated nodes that are upgraded, and
 * taken back, one at a time.
 */
class MixedVersionsTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final int HISTORIES = 150;
  private static final ProtocolVersions OLD = new ProtocolVersions(3, 3);
  private static final ProtocolVersions NEW = new ProtocolVersions(3, 4);
  private static final ProtocolVersions NEXT = new ProtocolVersions(4, 5);

  /**
   * Messages of each other member that an old one may have to refuse after its start, when it
   * listens where a new one did: some seven in a thousand starts.
   */
  private static final int REFUSALS_A_START_AND_OTHER = 2;

  /** A group in which nodes change their version when they start. */
  private static final class World {
    final Simulation simulation;
    final List<String> names;
    final Map<String, ProtocolVersions> versions = new HashMap<>();
    final Map<String, SimulatedGroup> groups = new HashMap<>();
    final List<SimulatedGroup> all = new ArrayList<>();
    final Set<String> violations = new TreeSet<>();
    int oldStarts;

    World(long seed, SimulationOptions network, List<String> names, ProtocolVersions first) {
      this(seed, network, names, first, SimulatedGroup.VersionFault.NONE);
    }

    World(
        long seed,
        SimulationOptions network,
        List<String> names,
        ProtocolVersions first,
        SimulatedGroup.VersionFault fault) {
      this.simulation = new Simulation(seed, network);
      this.names = names;
      for (String name : names) {
        versions.put(name, first);
        simulation.addNode(name, node -> start(node, fault));
      }
    }

    private void start(SimulatedNode node, SimulatedGroup.VersionFault fault) {
      ProtocolVersions own = versions.get(node.name());
      SimulatedGroup group =
          new SimulatedGroup(node, MembershipOptions.defaults(), names, own, fault);
      groups.put(node.name(), group);
      all.add(group);
      oldStarts += own.equals(OLD) ? 1 : 0;
      node.every(20 * MILLI, () -> check(group));
    }

    /** Notes what must never be: an old member that is spoken to in a version that it refuses. */
    private void check(SimulatedGroup group) {
      group.exclusion().ifPresent(why -> violations.add(group.self() + " is excluded: " + why));
      for (Member other : group.view().others()) {
        SimulatedGroup there = groups.get(other.name());
        if (there.self().equals(other)) {
          ProtocolVersions theirs = there.protocol().own();
          if (!theirs.contains(group.protocol().with(other))
              || !theirs.contains(group.protocol().toAll())) {
            violations.add(
                "%s speaks %s to %s of version %s"
                    .formatted(group.self(), group.protocol(), other, theirs));
          }
        }
      }
    }

    void replace(String name, ProtocolVersions by, long pauseNanos) {
      versions.put(name, by);
      simulation.node(name).crash();
      simulation.runFor(pauseNanos);
      simulation.node(name).restart();
    }

    boolean allMeet() {
      return groups.values().stream()
          .allMatch(group -> namesSeenBy(group).equals(Set.copyOf(names)));
    }

    private static Set<String> namesSeenBy(Group group) {
      return group.view().members().stream().map(Member::name).collect(Collectors.toSet());
    }

    boolean allSpeakToAll(int version) {
      return groups.values().stream().allMatch(one -> one.protocol().toAll() == version);
    }

    boolean allSpeak(int version) {
      return groups.values().stream()
          .map(Group::protocol)
          .allMatch(one ->
              one.toAll() == version
                  && one.leastOfOthers() == version
                  && one.toEach().values().stream().allMatch(each -> each == version));
    }

    long refusalsOfOld() {
      return all.stream()
          .filter(group -> group.protocol().own().equals(OLD))
          .mapToLong(group -> group.counters().incompatible())
          .sum();
    }

    long malformed() {
      return all.stream().mapToLong(group -> group.counters().malformed()).sum();
    }
  }

  /** A history of upgrades and faults, at the end of which all nodes are new, and in peace. */
  private static World history(long seed, SimulatedGroup.VersionFault fault) {
    RandomGenerator random = Seeds.generator(seed);
    List<String> names = List.of("a", "b", "c", "d", "e").subList(0, 2 + random.nextInt(4));
    World world = new World(seed, SimulationOptions.swarm(random), names, OLD, fault);
    Simulation simulation = world.simulation;
    simulation.runFor(random.nextLong(2 * SECOND));
    FaultPlan.swarm(random).unleash(simulation, 6 * SECOND);
    int replacements = names.size() + random.nextInt(6);
    for (int i = 0; i < replacements; i++) {
      String name = names.get(random.nextInt(names.size()));
      ProtocolVersions by = random.nextInt(4) == 0 ? OLD : NEW;
      world.replace(name, by, random.nextLong(SECOND / 2));
      simulation.runFor(random.nextLong(SECOND));
    }
    simulation.runFor(6 * SECOND);
    simulation.setLossProbability(0);
    for (String name : names) {
      if (!world.versions.get(name).equals(NEW)) {
        world.replace(name, NEW, SECOND / 5);
      }
    }
    return world;
  }

  @Test
  void membersThatAreReplacedOneAtATimeStayOneGroupAndRiseTogether() {
    long refusals = 0;
    long starts = 0;
    for (long seed :
        Seeds.histories("membersThatAreReplacedOneAtATimeStayOneGroupAndRiseTogether", HISTORIES)) {
      World world = history(seed, SimulatedGroup.VersionFault.NONE);

      assertThat(world.simulation.runUntil(() -> world.allMeet() && world.allSpeak(4), 30 * SECOND))
          .as("all meet and speak version 4, seed %d", seed)
          .isTrue();
      assertThat(world.violations).as("seed %d", seed).isEmpty();
      assertThat(world.malformed()).as("malformed messages of seed %d", seed).isZero();
      assertThat(world.refusalsOfOld())
          .as("messages that old members refuse, seed %d", seed)
          .isLessThanOrEqualTo(
              (long) REFUSALS_A_START_AND_OTHER * world.oldStarts * (world.names.size() - 1));
      refusals += world.refusalsOfOld();
      starts += world.oldStarts;
    }
    System.out.printf("old members refused %d messages in %d starts of one%n", refusals, starts);
  }

  @Test
  void aMemberThatSpeaksItsLatestVersionToAnOldOneIsFound() {
    World world = history(7, SimulatedGroup.VersionFault.LATEST_TO_EACH);

    assertThat(world.violations).anyMatch(one -> one.contains("of version 3"));
    assertThat(world.refusalsOfOld())
        .isGreaterThan(
            (long) REFUSALS_A_START_AND_OTHER * world.oldStarts * (world.names.size() - 1));
  }

  @Test
  void aRiseBesideAnOldMemberIsFound() {
    World world = history(7, SimulatedGroup.VersionFault.EARLY_RISE);

    assertThat(world.violations).anyMatch(one -> one.contains("of version 3"));
  }

  @Test
  void aGroupSpeaksTheOldVersionUntilItsLastOldMemberIsGone() {
    World world = new World(1, SimulationOptions.calm(), List.of("a", "b", "c"), OLD);
    Simulation simulation = world.simulation;
    simulation.runFor(SECOND);
    for (String name : List.of("a", "b")) {
      world.replace(name, NEW, SECOND / 5);
      assertThat(simulation.runUntil(world::allMeet, 2 * SECOND)).isTrue();
    }
    simulation.runFor(SECOND);
    SimulatedGroup a = world.groups.get("a");
    assertThat(a.protocol().toAll()).isEqualTo(3);
    assertThat(a.protocol().leastOfOthers()).isEqualTo(3);
    assertThat(a.protocol().with(world.groups.get("b").self())).isEqualTo(4);
    assertThat(a.protocol().with(world.groups.get("c").self())).isEqualTo(3);

    world.replace("c", NEW, SECOND / 5);
    assertThat(simulation.runUntil(() -> world.allMeet() && world.allSpeak(4), 2 * SECOND))
        .isTrue();

    world.replace("b", OLD, SECOND / 5);
    assertThat(simulation.runUntil(() -> world.allMeet() && a.protocol().toAll() == 3, 2 * SECOND))
        .as("the way back")
        .isTrue();
    assertThat(world.violations).isEmpty();
    assertThat(world.refusalsOfOld()).as("the first words to whom it replaced").isLessThan(6);
  }

  @Test
  void whatAMemberUnderstandsIsKnownOfOneNeverSpokenWith() {
    World world = new World(1, SimulationOptions.calm(), List.of("a", "b", "c"), NEW);
    world.simulation.cut("a", "c");
    world.simulation.cut("c", "a");
    SimulatedGroup a = world.groups.get("a");
    SimulatedGroup c = world.groups.get("c");

    assertThat(
            world.simulation.runUntil(
                () -> a.view().contains(c.self().id()) && a.protocol().with(c.self()) == 4, SECOND))
        .isTrue();
  }

  @Test
  void anOldMemberThatIsAloneTakesInANewOneAndIsNotExcluded() {
    World world = new World(1, SimulationOptions.calm(), List.of("a", "b"), OLD);
    world.simulation.node("b").crash();
    world.simulation.runFor(20 * SECOND);
    world.versions.put("b", NEW);
    world.simulation.node("b").restart();

    assertThat(world.simulation.runUntil(world::allMeet, 2 * SECOND)).isTrue();
    world.simulation.runFor(5 * SECOND);
    assertThat(world.violations).isEmpty();
    assertThat(world.refusalsOfOld()).isZero();
  }

  @Test
  void membersThatShareOneLaterVersionMeetThoughTheEarliestIsRefused() {
    World world = new World(1, SimulationOptions.calm(), List.of("a", "b", "c"), NEW);
    world.simulation.runFor(SECOND);
    world.replace("c", NEXT, SECOND / 5);

    assertThat(
            world.simulation.runUntil(() -> world.allMeet() && world.allSpeakToAll(4), 5 * SECOND))
        .isTrue();
    assertThat(world.violations).isEmpty();
  }

  @Test
  void whatAMemberSaysOfItselfCountsMoreThanWhatOthersSay() {
    Membership a = new Membership(member("a"), MembershipOptions.defaults(), new Random(1), 0, NEW);
    Member b = member("b");
    Member c = member("c");
    Rumor wrong = new Rumor(c, Rumor.State.ALIVE, 0, b.id(), OLD);
    Rumor beyond = new Rumor(member("d"), Rumor.State.ALIVE, 0, b.id(), new ProtocolVersions(5, 6));

    List<MembershipEffect> told = a.step(1, greeting(b, List.of(wrong, beyond)));
    List<MembershipEffect> heard = a.step(2, greeting(c, List.of()));

    assertThat(agreements(told))
        .containsExactly(ProtocolAgreement.of(NEW, Map.of(b.id(), NEW, c.id(), OLD)));
    assertThat(agreements(heard))
        .containsExactly(ProtocolAgreement.of(NEW, Map.of(b.id(), NEW, c.id(), NEW)));
    assertThat(a.view().members()).as("none without a common version").hasSize(3);
  }

  @Test
  void aRefusalDecidesTheVersionForAnAddressUntilThatSpeaksForItself() {
    Membership a = new Membership(member("a"), MembershipOptions.defaults(), new Random(1), 0, NEW);
    Member b = member("b");
    InetSocketAddress there = b.address();

    assertThat(versions(a.step(1, new MembershipEvent.Stranger(there)))).containsExactly(3);
    assertThat(versions(a.step(2, new MembershipEvent.Corrected(there, 4)))).containsExactly(4);
    assertThat(versions(a.step(3, new MembershipEvent.Corrected(there, 4))))
        .as("the same again begins nothing")
        .isEmpty();
    assertThat(versions(a.step(4, greeting(b, List.of())))).containsExactly(4);
    assertThat(versions(a.step(5, new MembershipEvent.Corrected(there, 3)))).containsExactly(3);
    assertThat(versions(a.step(6, new MembershipEvent.Disconnected(b.id())))).containsExactly(3);
    assertThat(versions(a.step(7, greeting(b, List.of())))).containsExactly(4);
  }

  private static List<Integer> versions(List<MembershipEffect> effects) {
    return effects.stream()
        .filter(MembershipEffect.Send.class::isInstance)
        .map(effect -> ((MembershipEffect.Send) effect).version())
        .toList();
  }

  private static Member member(String name) {
    long start = 1_700_000_000L * SECOND;
    return new Member(name, Member.idAt(name, start), InetSocketAddress.createUnresolved(name, 1));
  }

  private static MembershipEvent greeting(Member from, List<Rumor> rumors) {
    return new MembershipEvent.Received(
        new MembershipMessage(MembershipMessage.Kind.SYNC, from, NEW, 0, 1, null, rumors));
  }

  private static List<ProtocolAgreement> agreements(List<MembershipEffect> effects) {
    return effects.stream()
        .filter(MembershipEffect.Agreed.class::isInstance)
        .map(effect -> ((MembershipEffect.Agreed) effect).agreement())
        .toList();
  }
}
