package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * Naming processes, newcomers among them, and proposers of different values for one version, whose
 * messages arrive in any order, however late, while disks are lost, never more at once than leave a
 * majority that remembers.
 *
 * <p>There is no clock: each step of a history delivers some message, or begins something. So
 * messages to those who have forgotten since are as frequent as others, which they are not on a
 * simulated network.
 */
class LateMessagesTest {
  private static final int HISTORIES = Depth.of(10_000, 1_500);
  private static final int HISTORIES_TO_FIND = 60_000;
  private static final int STEPS = 400;
  private static final int PROPOSERS = 3;
  private static final int LATE_PERCENT = 25;
  private static final int LOSS_PERCENT_MAX = 25;
  private static final int SELDOM = 1_000;

  @Test
  void threeOfWhichOneForgetsChooseOneValue() {
    for (long seed : Seeds.histories("LateMessagesTest", HISTORIES)) {
      new History(seed, 3, Rounds::new).run();
    }
  }

  @Test
  void fiveOfWhichTwoForgetChooseOneValue() {
    for (long seed : Seeds.histories("LateMessagesTest", HISTORIES)) {
      new History(seed, 5, Rounds::new).run();
    }
  }

  @Test
  void aProposerThatHoldsRoundsOfAnAgeOnOneWordIsCaught() {
    long first = Seeds.next("aProposerThatHoldsRoundsOfAnAgeOnOneWordIsCaught");
    assertThatThrownBy(
            () -> {
              for (long seed = first; seed < first + HISTORIES_TO_FIND; seed++) {
                new History(seed, 5, proposer -> new Rounds(proposer, 0, Long.MAX_VALUE)).run();
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("one value");
  }

  /** One order of events. */
  private static final class History {
    private final long seed;
    private final RandomGenerator random;
    private final List<NamingMember> members = new ArrayList<>();
    private final List<Integer> forgetful = new ArrayList<>();
    private final List<Rounds> rounds = new ArrayList<>();
    private final List<Proposal> proposals = new ArrayList<>();
    private final List<Runnable> underWay = new ArrayList<>();
    private final int lossPercent;
    private int lately = 2;
    private int slow;
    private final Map<Long, Registration> chosen = new HashMap<>();
    private final int processes;

    History(long seed, int processes, LongFunction<Rounds> freshRounds) {
      this.seed = seed;
      this.random = Seeds.generator(seed);
      this.processes = processes;
      this.lossPercent = random.nextInt(LOSS_PERCENT_MAX);
      for (int i = 0; i < processes; i++) {
        members.add(fresh());
      }
      for (int i = 0; i < PROPOSERS; i++) {
        rounds.add(freshRounds.apply(random.nextLong()));
        proposals.add(null);
        propose(i, 1);
      }
    }

    private NamingMember fresh() {
      return new NamingMember(
          StoredNames.fresh(random.nextLong()), processes - 1, random.nextLong());
    }

    private void propose(int proposer, long version) {
      Registration wanted = value("p" + proposer + "-" + random.nextInt(1_000), version);
      proposals.set(
          proposer, Proposal.change(wanted, wanted.version() - 1, rounds.get(proposer), processes));
    }

    private static Registration value(String replica, long version) {
      Endpoint endpoint = new Endpoint(replica, "terrace", "127.0.0.1", 1, "");
      return new Registration(
          new ServiceReference("service", Style.WARM_PASSIVE, 1, version, List.of(endpoint)), 1, 1);
    }

    void run() {
      while (members.stream().anyMatch(member -> !member.isAdmitted())) {
        ask(random.nextInt(processes), random.nextInt(processes));
        deliver(0);
      }
      if (processes > 3 && random.nextBoolean()) {
        loseTwoCloseTogether();
      }
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(64)) {
          case 0 -> {
            if (slow == 0 || random.nextInt(SELDOM) == 0) {
              loseDisk(random.nextInt(processes));
            }
          }
          case 1 -> lately = 1 + random.nextInt(12);
          case 2, 3 -> begin(slow + random.nextInt(PROPOSERS - slow));
          case 4, 5, 6, 7, 8, 9 -> forgetful.forEach(each -> ask(each, random.nextInt(processes)));
          default -> deliver(step < STEPS / 3 ? 0 : LATE_PERCENT);
        }
      }
    }

    /**
     * One has lost its disk, and tells one other of the next age; that one votes in it, and loses
     * its disk before anybody else hears.
     */
    private void loseTwoCloseTogether() {
      int first = random.nextInt(processes);
      int second = (first + 1 + random.nextInt(processes - 1)) % processes;
      loseDisk(first);
      for (int other = 0; other < processes; other++) {
        if (other != first && other != second) {
          askNow(first, other);
        }
      }
      askNow(first, second);
      NamingMessage message = proposals.getFirst().begin();
      while (message != null) {
        for (int other = 0; other < processes; other++) {
          if (other != second) {
            underWay.addFirst(sent(0, message, other));
          }
        }
        NamingMessage answer = members.get(second).step(message);
        message =
            switch (proposals.getFirst().receive(second, Objects.requireNonNull(answer))) {
              case Proposal.Step.Send(NamingMessage next) -> next;
              case Proposal.Step.Retry() -> proposals.getFirst().begin();
              case Proposal.Step.Waiting() -> null;
              case Proposal.Step.Finished finished -> null;
            };
      }
      slow = 1; // The first proposer goes on with this round alone.
      loseDisk(second);
      while (!members.get(second).isAdmitted()) {
        askNow(second, random.nextInt(processes));
      }
    }

    private void askNow(int member, int other) {
      int before = underWay.size();
      ask(member, other);
      while (underWay.size() > before) {
        underWay.removeLast().run();
      }
    }

    /**
     * Mostly one of the last messages; at times one of the first, which is late by then. Some are
     * lost.
     */
    private void deliver(int latePercent) {
      int size = underWay.size();
      if (size > 0) {
        int next = random.nextInt(Math.min(lately, size));
        boolean late = random.nextInt(100) < latePercent;
        Runnable arrival = underWay.remove(late ? next : size - 1 - next);
        if (late || random.nextInt(100) >= lossPercent) {
          arrival.run();
        }
      }
    }

    private void ask(int member, int other) {
      NamingMember asker = members.get(member);
      int index = other < member ? other : other - 1;
      NamingMessage question = other == member ? null : asker.question(index);
      if (question != null) {
        underWay.add(() -> {
          if (members.get(other).step(question) instanceof NamingMessage.Standing standing) {
            underWay.add(() -> asker.heard(index, standing));
          }
        });
      }
    }

    private void loseDisk(int member) {
      forgetful.removeIf(each -> members.get(each).isAdmitted());
      if (members.get(member).isAdmitted() && forgetful.size() < (processes - 1) / 2) {
        forgetful.add(member);
        members.set(member, fresh());
      }
    }

    private void begin(int proposer) {
      send(proposer, proposals.get(proposer).begin());
    }

    private void send(int proposer, NamingMessage message) {
      for (int member = 0; member < processes; member++) {
        underWay.add(sent(proposer, message, member));
      }
    }

    /** The arrival of a message at a process, whose answer is under way from then on. */
    private Runnable sent(int proposer, NamingMessage message, int member) {
      Proposal proposal = proposals.get(proposer);
      return () -> {
        NamingMessage answer = members.get(member).step(message);
        if (answer != null) {
          underWay.add(() -> {
            if (proposal == proposals.get(proposer)) {
              take(proposer, proposal.receive(member, answer));
            }
          });
        }
      };
    }

    private void take(int proposer, Proposal.Step step) {
      switch (step) {
        case Proposal.Step.Waiting() -> {}
        case Proposal.Step.Retry() -> {}
        case Proposal.Step.Send(NamingMessage message) -> send(proposer, message);
        case Proposal.Step.Finished(Registration value) -> {
          Registration other = chosen.putIfAbsent(value.version(), value);
          assertThat(value).as("one value, seed %d", seed).isEqualTo(other == null ? value : other);
          propose(proposer, value.version() + 1);
        }
      }
    }
  }
}
