package org.terrace.collections.gossip;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.ReplicaRoster;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.groups.Member;
import org.terrace.groups.View;

class DepartureTest {
  private static final Member SELF = member("a");
  private static final Member HEIR = member("b");

  private final ReplicaState state = new ReplicaState(0);
  private final Departure departure =
      new Departure(SELF.id(), state, () -> new View(1, SELF, List.of(SELF, HEIR), List.of()));

  private static Member member(String name) {
    long id = Member.idAt(name, 1_000_000_000L);
    return new Member(name, id, InetSocketAddress.createUnresolved(name, 1));
  }

  /**
   * The heir's words: the way in which the one that is leaving parts, and whether the heir has its
   * update.
   */
  private static Map<Long, Retirement.Seen> said(ReplicaRoster.Parting parting, boolean hasUpdate) {
    VersionVector applied = new VersionVector();
    applied.roster().enrol(HEIR.id());
    applied.roster().part(SELF.id(), parting);
    if (hasUpdate) {
      applied.add(SELF.id(), 1);
    }
    return Map.of(HEIR.id(), new Retirement.Seen(applied, 1));
  }

  private void leave(boolean hasCheckpoint) {
    state.applied().roster().enrol(SELF.id());
    state.applied().roster().enrol(HEIR.id());
    state.applied().add(SELF.id(), 1);
    departure.begin(hasCheckpoint);
  }

  @Test
  void anHeirThatIsBackFromAnOlderCheckpointIsWaitedForAgain() {
    leave(false);
    departure.advance(said(ReplicaRoster.Parting.LEAVING, true));
    assertThat(departure.phase()).isEqualTo(Departure.Phase.LEFT);

    departure.advance(said(ReplicaRoster.Parting.LEFT, false));
    assertThat(departure.phase()).isEqualTo(Departure.Phase.LEFT);
    departure.advance(said(ReplicaRoster.Parting.LEFT, true));
    assertThat(departure.phase()).isEqualTo(Departure.Phase.DONE);
  }

  @Test
  void noneHasLeftBeforeItsCheckpointIsDiscarded() {
    leave(true);
    Map<Long, Retirement.Seen> aware = said(ReplicaRoster.Parting.LEAVING, true);
    departure.advance(aware);
    assertThat(departure.phase()).isEqualTo(Departure.Phase.FROZEN);
    assertThat(departure.isHandedOver(aware)).isTrue();

    departure.checkpointDiscarded();
    departure.advance(aware);
    assertThat(departure.phase()).isEqualTo(Departure.Phase.LEFT);
  }

  @Test
  void whoCouldNotLeaveKeepsItsCheckpointAfterAllAndDoesNotLeave() {
    leave(true);
    Map<Long, Retirement.Seen> aware = said(ReplicaRoster.Parting.LEAVING, true);
    departure.advance(aware);
    departure.checkpointDiscarded();
    assertThat(departure.keepCheckpoint()).isTrue();
    departure.advance(aware);
    assertThat(departure.phase()).isEqualTo(Departure.Phase.FROZEN);

    departure.checkpointDiscarded();
    departure.advance(aware);
    assertThat(departure.keepCheckpoint()).isFalse();
    assertThat(departure.phase()).isEqualTo(Departure.Phase.LEFT);
  }
}
