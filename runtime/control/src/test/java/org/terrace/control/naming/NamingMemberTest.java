package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.middleware.Endpoint;

/** The loss of a disk: no vote that a naming process has forgotten counts beside a later one. */
class NamingMemberTest {
  private static final int PROCESSES = 3;
  private static final int PHASES = 2;

  private final List<NamingMember> members = new ArrayList<>();
  private long nextIncarnation = 100;

  @BeforeEach
  void begin() {
    for (int i = 0; i < PROCESSES; i++) {
      members.add(fresh());
    }
    for (int i = 0; i < PROCESSES; i++) {
      admit(i);
    }
    assertThat(members).allMatch(NamingMember::isAdmitted);
  }

  private NamingMember fresh() {
    return new NamingMember(StoredNames.fresh(nextIncarnation++), PROCESSES - 1);
  }

  private static int otherOf(int member, int other) {
    return other < member ? other : other - 1;
  }

  private void admit(int member) {
    for (int phase = 0; phase < PHASES; phase++) {
      for (int other = 0; other < PROCESSES; other++) {
        if (other != member && !members.get(member).isAdmitted()) {
          NamingMessage answer = members.get(other).step(members.get(member).question());
          members.get(member).heard(otherOf(member, other), (NamingMessage.Standing) answer);
        }
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

  /** Sends to one process and hands the proposal its answer. */
  private Proposal.Step ask(Proposal proposal, int member, NamingMessage message) {
    NamingMessage answer = members.get(member).step(message);
    return answer == null ? new Proposal.Step.Waiting() : proposal.receive(member, answer);
  }

  /**
   * What the proposal chooses with a majority of those processes, by as many rounds as it takes.
   */
  private Registration carryThrough(Proposal proposal, int... majority) {
    for (int round = 0; round < 10; round++) {
      NamingMessage message = proposal.begin();
      for (int phase = 0; phase < PHASES; phase++) {
        Proposal.Step step = new Proposal.Step.Waiting();
        for (int member : majority) {
          if (step instanceof Proposal.Step.Waiting) {
            step = ask(proposal, member, message);
          }
        }
        switch (step) {
          case Proposal.Step.Send(NamingMessage next) -> message = next;
          case Proposal.Step.Finished(Registration chosen) -> {
            return chosen;
          }
          case Proposal.Step.Retry() -> phase = PHASES;
          case Proposal.Step.Waiting() -> phase = PHASES;
        }
      }
    }
    throw new AssertionError("no round found a majority");
  }

  @Test
  void aForgottenPromiseCountsBesideNoLaterOne() {
    Proposal slow = Proposal.change(value("slow"), 1, PROCESSES, 1_000);
    NamingMessage prepare = slow.begin();
    assertThat(ask(slow, 0, prepare)).isInstanceOf(Proposal.Step.Waiting.class);
    loseDisk(0);
    Registration chosen = carryThrough(Proposal.change(value("quick"), 2, PROCESSES, 0), 0, 2);

    assertThat(chosen).isEqualTo(value("quick"));
    assertThat(ask(slow, 1, prepare)).isInstanceOf(Proposal.Step.Retry.class);
    assertThat(carryThrough(slow, 1, 0)).isEqualTo(chosen);
  }

  @Test
  void aForgottenAcceptanceCountsBesideNoLaterOne() {
    Proposal slow = Proposal.change(value("slow"), 1, PROCESSES, 1_000);
    NamingMessage prepare = slow.begin();
    ask(slow, 0, prepare);
    Proposal.Step step = ask(slow, 1, prepare);
    assertThat(step).isInstanceOf(Proposal.Step.Send.class);
    NamingMessage accept = ((Proposal.Step.Send) step).message();
    assertThat(ask(slow, 0, accept)).isInstanceOf(Proposal.Step.Waiting.class);
    loseDisk(0);

    assertThat(ask(slow, 1, accept)).isInstanceOf(Proposal.Step.Retry.class);
    Registration chosen = carryThrough(Proposal.change(value("quick"), 2, PROCESSES, 0), 0, 2);
    assertThat(carryThrough(slow, 1, 2)).isEqualTo(chosen);
  }

  @Test
  void whatAMajorityAcceptedBeforeTheLossStays() {
    Registration chosen = carryThrough(Proposal.change(value("first"), 1, PROCESSES, 0), 0, 1);
    loseDisk(0);

    assertThat(carryThrough(Proposal.change(value("second"), 2, PROCESSES, 0), 0, 2))
        .isEqualTo(chosen);
  }

  @Test
  void anAnswerToAnEarlierIncarnationTellsNothing() {
    NamingMessage.Stand early = new NamingMessage.Stand(7, 7, 0);
    NamingMember fresh = fresh();
    for (int other = 0; other < PROCESSES - 1; other++) {
      fresh.heard(other, new NamingMessage.Standing(early.id(), false, 8, false, 0, Map.of()));
    }
    assertThat(fresh.isAdmitted()).isFalse();
  }

  @Test
  void aLateAnswerThatNamesNoFloorDoesNotAdmit() {
    members.set(0, fresh());
    NamingMessage ask = members.get(0).question();
    NamingMessage.Standing first = (NamingMessage.Standing) members.get(1).step(ask);
    NamingMessage.Standing second = (NamingMessage.Standing) members.get(2).step(ask);
    members.get(0).heard(0, first);
    members.get(0).heard(1, second);
    members.get(0).heard(0, first);
    members.get(0).heard(1, second);
    assertThat(members.get(0).isAdmitted()).isFalse();

    admit(0);
    assertThat(members.get(0).isAdmitted()).isTrue();
  }
}
