package org.terrace.collections.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.groups.Member;
import org.terrace.testing.ManualTimeSource;

/** The members that must hold an update before its level is reached. */
class AcknowledgementsTest {
  private static final Member B = member("b");
  private static final Member C = member("c");

  private final Acknowledgements acknowledgements = new Acknowledgements();

  private static Member member(String name) {
    return new Member(
        name, Member.idAt(name, 1_700_000_000_000_000_000L), new InetSocketAddress(1));
  }

  private PendingWrite write(long sequence, WriteLevel level) {
    PendingWrite write = new PendingWrite(sequence, level, new ManualTimeSource(0));
    acknowledgements.register(write);
    return write;
  }

  @Test
  void aJoinerIsAskedForFromItsFirstCompleteStateOn() {
    acknowledgements.othersChanged(List.of(B), 0);
    acknowledgements.acknowledged(B.id(), 10);
    acknowledgements.othersChanged(List.of(B, C), 10);
    PendingWrite whileItCatchesUp = write(11, WriteLevel.ALL);
    acknowledgements.acknowledged(B.id(), 11);
    acknowledgements.acknowledged(C.id(), 10);
    PendingWrite afterwards = write(12, WriteLevel.ALL);
    acknowledgements.acknowledged(B.id(), 12);

    assertThat(whileItCatchesUp.isAcknowledged()).isTrue();
    assertThat(afterwards.isAcknowledged()).isFalse();
    acknowledgements.acknowledged(C.id(), 12);
    assertThat(afterwards.isAcknowledged()).isTrue();
  }

  @Test
  void aJoinerThatHasNotCaughtUpIsNoneOfTheHoldersThatALevelAsksFor() {
    acknowledgements.othersChanged(List.of(), 0);
    acknowledgements.othersChanged(List.of(C), 10);
    PendingWrite write = write(11, WriteLevel.allOf(2));

    assertThat(write.isAcknowledged()).isFalse();
    acknowledgements.acknowledged(C.id(), 11);
    assertThat(write.isAcknowledged()).isTrue();
  }
}
