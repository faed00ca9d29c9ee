package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.client.CallEvent.Candidates;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Calls among replicas over one database that crash, hang, drain, fail and come back, and a naming
 * service that lags behind: the history of each seed is judged by what the database holds.
 */
class CallCoreSimulationTest {
  private static final int SEEDS = 4_000;
  private static final int CALLS = 12;
  private static final long MILLI = 1_000_000L;
  private static final long CRASH_NOTICED_NANOS = 3 * MILLI;
  private static final int SEEDS_WITH_BUG = 200;

  /**
   * The replies of a replica that does not run a request; also, REJECTED, of one that ran it
   * before.
   */
  private static final CallReply.Status[] NO_ANSWERS = {
    CallReply.Status.FAILED,
    CallReply.Status.NOT_PRIMARY,
    CallReply.Status.REJECTED,
    CallReply.Status.ROLLED_BACK,
    CallReply.Status.UNAVAILABLE,
    CallReply.Status.IN_DOUBT,
    CallReply.Status.FORGOTTEN
  };

  /** A replica: what it does with a request that reaches it. */
  private static final class Replica {
    final Endpoint endpoint;
    boolean up = true;
    boolean hung;
    boolean draining;
    int incarnation;

    Replica(int number) {
      endpoint = new Endpoint("server" + number, "terrace", "127.0.0.1", 1_000 + number, "");
    }
  }

  /** One seed's world. */
  private static final class World {
    final Simulation simulation;
    final RandomGenerator random;
    final List<Replica> replicas = new ArrayList<>();
    final Map<Integer, Set<Integer>> effects = new HashMap<>();
    final boolean resendsAsNew;
    final boolean toAll;
    final boolean other;
    final boolean prompt;
    int primary;
    long version = 1;
    @Nullable Run current;

    /** A world in which a client may have the bug to give each attempt an identity of its own. */
    World(long seed, boolean resendsAsNew) {
      this.resendsAsNew = resendsAsNew;
      simulation = new Simulation(seed, SimulationOptions.calm());
      random = simulation.random();
      int count = 1 + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        replicas.add(new Replica(i));
      }
      toAll = random.nextInt(4) == 0;
      other = random.nextBoolean();
      prompt = random.nextBoolean();
    }

    Candidates reference() {
      List<Endpoint> order = new ArrayList<>();
      for (int i = 0; i < replicas.size(); i++) {
        order.add(replicas.get((primary + i) % replicas.size()).endpoint);
      }
      return new Candidates(version, order.getFirst().replica(), toAll, order);
    }

    void faults() {
      Replica victim = replicas.get(random.nextInt(replicas.size()));
      switch (random.nextInt(6)) {
        case 0, 1 -> crash(victim);
        case 2 -> victim.hung = !victim.hung;
        case 3 -> victim.draining = random.nextInt(3) == 0;
        default -> appoint();
      }
      simulation.schedule(random.nextLong(40 * MILLI), this::faults);
    }

    void crash(Replica victim) {
      victim.up = !victim.up;
      victim.incarnation++;
      victim.hung = false;
      victim.draining = false;
    }

    /** The replication manager notices and names another primary. */
    void appoint() {
      for (int i = 0; i < replicas.size(); i++) {
        int candidate = (primary + i) % replicas.size();
        if (replicas.get(candidate).up && !replicas.get(candidate).hung && candidate != primary) {
          primary = candidate;
          version++;
          Run run = current;
          if (run != null) {
            run.step(new CallEvent.Noticed(reference()));
          }
          return;
        }
      }
    }
  }

  /** One call in the world. */
  private static final class Run {
    final World world;
    final int number;
    final CallCore core;
    final Map<Integer, Replica> sentTo = new HashMap<>();
    final long deadlineNanos;
    int answers;
    boolean givenUpEarly;
    @Nullable CallReply answer;
    @Nullable Outcome failure;

    Run(World world, int number) {
      this.world = world;
      this.number = number;
      RandomGenerator random = world.random;
      long hedge = random.nextBoolean() ? 0 : 5 * MILLI;
      long signNanos = random.nextBoolean() ? 0 : 15 * MILLI;
      long attemptNanos = (20 + random.nextInt(200)) * MILLI;
      deadlineNanos = world.simulation.nowNanos() + (50 + random.nextInt(12_000)) * MILLI;
      core =
          new CallCore(
              new CallPlan(
                  world.other, world.prompt, hedge, signNanos, attemptNanos, deadlineNanos, false),
              new CallCore.Budget() {
                @Override
                public boolean mayHedge() {
                  return random.nextBoolean();
                }

                @Override
                public void retried() {
                  // How a call is carried through does not depend on it.
                }
              });
    }

    Outcome outcome() {
      return failure == null ? Outcome.DONE : failure;
    }

    void step(CallEvent event) {
      for (CallEffect effect : core.step(event, world.simulation.nowNanos())) {
        switch (effect) {
          case CallEffect.Send send -> send(send);
          case CallEffect.Resolve _ ->
              world.simulation.schedule(
                  MILLI,
                  () ->
                      step(
                          new CallEvent.Resolved(
                              world.random.nextInt(8) == 0 ? Candidates.NONE : world.reference())));
          case CallEffect.Abandon _ -> {}
          case CallEffect.AskForSign ask -> askForSign(ask.attempt());
          case CallEffect.Answer given -> {
            answers++;
            answer = given.reply();
          }
          case CallEffect.Fail fail -> {
            answers++;
            failure = fail.outcome();
            givenUpEarly =
                failure == Outcome.UNKNOWN
                    && world.simulation.nowNanos() < deadlineNanos
                    && !endsEveryCall(event);
          }
        }
      }
      long next = core.nextTickNanos();
      if (!core.isFinished()) {
        world.simulation.schedule(
            next - world.simulation.nowNanos(), () -> step(new CallEvent.Tick()));
      }
    }

    /** Whether a reply ends a call whatever is known of it. */
    private static boolean endsEveryCall(CallEvent event) {
      return event instanceof CallEvent.Replied replied
          && (replied.reply().status() == CallReply.Status.FAILED
              || replied.reply().status() == CallReply.Status.FORGOTTEN);
    }

    /** A replica that is there may be slow to say so, and its sign is lost then. */
    private void askForSign(int attempt) {
      Replica replica = sentTo.get(attempt);
      boolean given = replica.up && !replica.hung && world.random.nextInt(8) > 0;
      reply(new CallEvent.Sign(attempt, given), given ? MILLI : 40 * MILLI);
    }

    private void send(CallEffect.Send send) {
      Replica replica =
          world.replicas.stream()
              .filter(each -> each.endpoint.equals(send.endpoint()))
              .findFirst()
              .orElseThrow();
      int attempt = send.attempt();
      sentTo.put(attempt, replica);
      if (!replica.up) {
        reply(new CallEvent.Lost(attempt, false, false, "refused"), 60_000);
        return;
      }
      int incarnation = replica.incarnation;
      world.simulation.schedule(50_000, () -> arrive(attempt, replica, incarnation));
    }

    private void arrive(int attempt, Replica replica, int incarnation) {
      RandomGenerator random = world.random;
      if (!replica.up || replica.incarnation != incarnation) {
        reply(new CallEvent.Lost(attempt, true, false, "reset"), CRASH_NOTICED_NANOS);
      } else if (replica.hung) {
        world.simulation.schedule(10 * MILLI, () -> arrive(attempt, replica, incarnation));
      } else if (replica.draining) {
        reply(replied(attempt, CallReply.Status.DRAINING), 50_000);
      } else if (random.nextInt(20) == 0) {
        CallReply.Status status = NO_ANSWERS[random.nextInt(NO_ANSWERS.length)];
        reply(replied(attempt, status), 50_000);
      } else {
        long takes = random.nextInt(10) == 0 ? 30 * MILLI : 100_000;
        world.simulation.schedule(takes, () -> commit(attempt, replica, incarnation));
      }
    }

    /** The effect and the retained reply, in one: a copy finds the reply. */
    private void commit(int attempt, Replica replica, int incarnation) {
      boolean alive = replica.up && replica.incarnation == incarnation;
      if (alive || world.random.nextBoolean()) {
        int identity = world.resendsAsNew ? attempt : 0;
        world.effects.computeIfAbsent(number, call -> new HashSet<>()).add(identity);
      }
      reply(
          alive
              ? replied(attempt, CallReply.Status.RESULT)
              : new CallEvent.Lost(attempt, true, false, "reset"),
          alive ? 50_000 : CRASH_NOTICED_NANOS);
    }

    private CallEvent replied(int attempt, CallReply.Status status) {
      return new CallEvent.Replied(
          attempt,
          new CallReply(status, Integer.toString(number).getBytes(StandardCharsets.UTF_8)));
    }

    private void reply(CallEvent event, long delayNanos) {
      world.simulation.schedule(delayNanos, () -> step(event));
    }
  }

  @Test
  void everyCallIsAnsweredOnceAndTruthfully() {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    for (long seed : Seeds.histories("CallCoreSimulationTest", SEEDS)) {
      List<Run> runs = run(new World(seed, false), seed);
      assertThat(violations(runs, seed)).isEmpty();
      runs.forEach(run -> outcomes.merge(run.outcome(), 1, Integer::sum));
    }

    assertThat(outcomes).containsOnlyKeys(Outcome.values());
    System.out.println("CallCoreSimulationTest: " + outcomes);
  }

  @Test
  void aClientThatSendsAgainUnderANewIdentityIsCaught() {
    long first = Seeds.next("CallCoreSimulationTest");
    List<String> violations = new ArrayList<>();
    for (long seed = first; seed < first + SEEDS_WITH_BUG; seed++) {
      violations.addAll(violations(run(new World(seed, true), seed), seed));
    }

    assertThat(violations).anyMatch(violation -> violation.contains("took effect 2 times"));
  }

  private static List<Run> run(World world, long seed) {
    world.simulation.schedule(5 * MILLI, world::faults);
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      Run run = new Run(world, i);
      world.current = run;
      runs.add(run);
      run.step(new CallEvent.Begin(i == 0 ? Candidates.NONE : world.reference()));
      assertThat(world.simulation.runUntil(run.core::isFinished, 20_000 * MILLI))
          .as("call %d of seed %d ends by its deadline", i, seed)
          .isTrue();
    }
    world.simulation.runFor(2_000 * MILLI);
    return runs;
  }

  private static List<String> violations(List<Run> runs, long seed) {
    List<String> violations = new ArrayList<>();
    for (Run run : runs) {
      String what = "call " + run.number + " of seed " + seed;
      int effects = run.world.effects.getOrDefault(run.number, Set.of()).size();
      if (run.answers != 1) {
        violations.add(what + " was answered " + run.answers + " times");
      }
      if (run.givenUpEarly) {
        violations.add(what + " was said to be unknown before its deadline");
      }
      if (effects > 1) {
        violations.add(what + " took effect " + effects + " times");
      }
      if (run.answer != null && effects == 0) {
        violations.add(what + " was acknowledged and lost");
      }
      if ((run.failure == Outcome.NOT_EXECUTED || run.failure == Outcome.ROLLED_BACK)
          && effects > 0) {
        violations.add(what + " was said not to be executed and was");
      }
      if (run.answer != null
          && !new String(run.answer.body(), StandardCharsets.UTF_8).equals("" + run.number)) {
        violations.add(what + " was given the answer to another");
      }
    }
    return violations;
  }
}
