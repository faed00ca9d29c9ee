package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.middleware.Endpoint;

/** The loss of a disk: no vote that a naming process has forgotten counts beside a later one. */
class NamingMemberTest {
  /** More exchanges than any admission takes. */
  private static final int EXCHANGES = 8;

  private static final int ROUNDS = 10;
  private static final int HALVES = 4;

  private final List<NamingMember> members = new ArrayList<>();
  private long drawn = 100;

  /** Processes that are new, and have not asked yet. */
  private void start(int processes) {
    for (int i = 0; i < processes; i++) {
      members.add(fresh(processes));
    }
  }

  /** Processes that all vote. */
  private void begin(int processes) {
    start(processes);
    for (int i = 0; i < processes; i++) {
      admit(i);
    }
    assertThat(members).allMatch(NamingMember::isAdmitted);
  }

  private NamingMember fresh() {
    return fresh(members.size());
  }

  private NamingMember fresh(int processes) {
    return new NamingMember(StoredNames.fresh(drawn++), processes - 1, 1_000 * drawn++);
  }

  private static int otherOf(int member, int other) {
    return other < member ? other : other - 1;
  }

  /** One question to one of the others, and its answer. */
  private void ask(int member, int other) {
    NamingMessage question = members.get(member).question(otherOf(member, other));
    if (question != null) {
      NamingMessage answer = members.get(other).step(question);
      members.get(member).heard(otherOf(member, other), (NamingMessage.Standing) answer);
    }
  }

  private void admit(int member) {
    for (int exchange = 0; exchange < EXCHANGES; exchange++) {
      askAll(member);
    }
  }

  private void askAll(int member) {
    for (int other = 0; other < members.size(); other++) {
      if (other != member) {
        ask(member, other);
      }
    }
  }

  private void loseDisk(int member) {
    members.set(member, fresh());
    admit(member);
    assertThat(members.get(member).isAdmitted()).isTrue();
  }

  private static Registration value(String replica) {
    Endpoint endpoint = new Endpoint(replica, "terrace", "127.0.0.1", 1, "");
    return new Registration(
        new ServiceReference("service", Style.WARM_PASSIVE, 1, 1, List.of(endpoint)), 1, 1);
  }

  private Proposal change(String replica, Rounds rounds) {
    Registration wanted = value(replica);
    return Proposal.change(wanted, wanted.version() - 1, rounds, members.size());
  }

  /** Rounds of a proposer that has entered the first age. */
  private static Rounds rounds(long proposer, long counter) {
    return new Rounds(proposer, counter, 0);
  }

  /** Sends to one process and hands the proposal its answer. */
  private Proposal.Step send(Proposal proposal, int member, NamingMessage message) {
    NamingMessage answer = members.get(member).step(message);
    return answer == null ? new Proposal.Step.Waiting() : proposal.receive(member, answer);
  }

  /** Sends to some, until the proposal has a next step. */
  private Proposal.Step sendAll(Proposal proposal, NamingMessage message, int... to) {
    for (int member : to) {
      Proposal.Step step = send(proposal, member, message);
      if (!(step instanceof Proposal.Step.Waiting)) {
        return step;
      }
    }
    return new Proposal.Step.Waiting();
  }

  /**
   * The registration that the proposal chooses with a majority of those processes, in as many
   * rounds as it takes.
   */
  private Registration carryThrough(Proposal proposal, int... majority) {
    for (int round = 0; round < ROUNDS; round++) {
      Proposal.Step step = new Proposal.Step.Send(proposal.begin());
      for (int half = 0; half < 2 * HALVES; half++) {
        if (step instanceof Proposal.Step.Send(NamingMessage message)) {
          step = sendAll(proposal, message, majority);
        }
      }
      if (step instanceof Proposal.Step.Finished(Registration chosen)) {
        return chosen;
      }
    }
    throw new AssertionError("no round found a majority");
  }

  @Test
  void aForgottenPromiseCountsBesideNoLaterOne() {
    begin(3);
    Proposal slow = change("slow", rounds(1, 1_000));
    NamingMessage prepare = slow.begin();
    assertThat(send(slow, 0, prepare)).isInstanceOf(Proposal.Step.Waiting.class);
    loseDisk(0);
    Registration chosen = carryThrough(change("quick", rounds(2, 0)), 0, 2);

    assertThat(chosen).isEqualTo(value("quick"));
    assertThat(send(slow, 1, prepare)).isInstanceOf(Proposal.Step.Retry.class);
    assertThat(carryThrough(slow, 1, 0)).isEqualTo(chosen);
  }

  @Test
  void aForgottenAcceptanceCountsBesideNoLaterOne() {
    begin(3);
    Proposal slow = change("slow", rounds(1, 1_000));
    Proposal.Step step = sendAll(slow, slow.begin(), 0, 1);
    assertThat(step).isInstanceOf(Proposal.Step.Send.class);
    NamingMessage accept = ((Proposal.Step.Send) step).message();
    assertThat(send(slow, 0, accept)).isInstanceOf(Proposal.Step.Waiting.class);
    loseDisk(0);

    assertThat(send(slow, 1, accept)).isInstanceOf(Proposal.Step.Retry.class);
    Registration chosen = carryThrough(change("quick", rounds(2, 0)), 0, 2);
    assertThat(carryThrough(slow, 1, 2)).isEqualTo(chosen);
  }

  @Test
  void whatAMajorityAcceptedBeforeTheLossStays() {
    begin(3);
    Registration chosen = carryThrough(change("first", new Rounds(1)), 0, 1);
    loseDisk(0);

    assertThat(carryThrough(change("second", new Rounds(2)), 0, 2)).isEqualTo(chosen);
  }

  @Test
  void ofFiveTwoLostCloseTogetherChooseOneValue() {
    assertThat(chosenAfterTwoLosses(new Rounds(9), new Rounds(2))).hasSize(1);
  }

  @Test
  void aProposerThatTakesOneWordForAnAgeChoosesAnother() {
    assertThat(
            chosenAfterTwoLosses(
                new Rounds(9, 0, Long.MAX_VALUE), new Rounds(2, 0, Long.MAX_VALUE)))
        .hasSize(2);
  }

  /**
   * The values chosen for one version while one process has lost its disk, and another loses its
   * own that alone had heard of the age that the first is to begin.
   */
  private Set<Registration> chosenAfterTwoLosses(Rounds slowRounds, Rounds quickRounds) {
    begin(5);
    members.set(4, fresh());
    ask(4, 1);
    ask(4, 2);
    ask(4, 3);
    ask(4, 0);
    Proposal slow = change("slow", slowRounds);
    NamingMessage underWay = askUntilItWaits(slow, 0);
    members.set(0, fresh());
    admit(0);
    admit(4);
    Registration quick = carryThrough(change("quick", quickRounds), 0, 3, 4);

    Proposal.Step step = new Proposal.Step.Send(underWay);
    while (step instanceof Proposal.Step.Send(NamingMessage message)) {
      step = sendAll(slow, message, 1, 2, 0);
    }
    return step instanceof Proposal.Step.Finished(Registration other)
        ? new HashSet<>(Arrays.asList(quick, other))
        : new HashSet<>(Arrays.asList(quick, carryThrough(slow, 0, 1, 2)));
  }

  /** The message of a new round that has the answer of one process, and waits for others'. */
  private NamingMessage askUntilItWaits(Proposal proposal, int member) {
    NamingMessage message = proposal.begin();
    while (true) {
      switch (send(proposal, member, message)) {
        case Proposal.Step.Waiting() -> {
          return message;
        }
        case Proposal.Step.Retry() -> message = proposal.begin();
        case Proposal.Step.Send(NamingMessage next) -> message = next;
        case Proposal.Step.Finished finished -> throw new AssertionError("one is no majority");
      }
    }
  }

  @Test
  void anAnswerOfWhoLostItsDiskInBetweenDoesNotEnterAnAge() {
    Rounds rounds = new Rounds(1);
    Proposal proposal = Proposal.read("service", rounds, 3);
    long first = ((NamingMessage.Enter) proposal.begin()).id();
    proposal.receive(0, new NamingMessage.Entered(first, 100, 0));
    Proposal.Step step = proposal.receive(1, new NamingMessage.Entered(first, 101, 0));
    long second = ((NamingMessage.Enter) ((Proposal.Step.Send) step).message()).id();

    assertThat(second).isNotEqualTo(first);
    for (int again = 0; again < 2; again++) {
      proposal.receive(0, new NamingMessage.Entered(second, 200, 0));
      proposal.receive(1, new NamingMessage.Entered(second, 101, 0));
      proposal.receive(2, new NamingMessage.Entered(second, 102, 0));
    }
    assertThat(rounds.isEntered()).isFalse();
    assertThat(proposal.receive(0, new NamingMessage.Entered(second, 100, 0)))
        .isInstanceOf(Proposal.Step.Send.class);
    assertThat(rounds.isEntered()).isTrue();
  }

  @Test
  void whoIsAdmittedLaterIsRecognizedByAnyOfThoseWhoVote() {
    start(3);
    admit(0);
    admit(1);
    members.set(0, fresh());
    assertThat(members.get(2).isAdmitted()).isFalse();

    admit(2);
    assertThat(members.get(2).isAdmitted()).isTrue();
    admit(0);
    assertThat(members.get(0).isAdmitted()).isTrue();
  }

  @Test
  void whoWasAsNewOnceAndVotesSinceIsNotTakenForNew() {
    start(3);
    ask(0, 1); // From here on the first does not reach the second, which begins with the third.
    admit(1);
    admit(2);
    Registration chosen = carryThrough(change("first", new Rounds(1)), 1, 2);
    members.set(2, fresh());
    for (int exchange = 0; exchange < EXCHANGES; exchange++) {
      ask(0, 2);
    }
    assertThat(members.get(0).isAdmitted()).isFalse();

    admit(0);
    admit(2);
    assertThat(carryThrough(change("second", new Rounds(2)), 0, 2)).isEqualTo(chosen);
  }

  @Test
  void anAnswerToAnEarlierIncarnationTellsNothing() {
    begin(3);
    NamingMember fresh = fresh();
    long early = 7;
    for (int other = 0; other < 2; other++) {
      fresh.heard(
          other, new NamingMessage.Standing(early, false, 8, Set.of(), 0, new TreeMap<>(), ""));
    }
    assertThat(fresh.question(0)).isNotNull();
    assertThat(fresh.isAdmitted()).isFalse();
  }

  @Test
  void aLateAnswerThatNamesNoFloorDoesNotAdmit() {
    begin(3);
    members.set(0, fresh());
    NamingMessage ask = members.get(0).question(0);
    NamingMessage.Standing first = (NamingMessage.Standing) members.get(1).step(ask);
    NamingMessage.Standing second =
        (NamingMessage.Standing) members.get(2).step(members.get(0).question(1));
    members.get(0).heard(0, first);
    members.get(0).heard(1, second);
    members.get(0).heard(0, first);
    members.get(0).heard(1, second);
    assertThat(members.get(0).isAdmitted()).isFalse();

    admit(0);
    assertThat(members.get(0).isAdmitted()).isTrue();
  }
}
