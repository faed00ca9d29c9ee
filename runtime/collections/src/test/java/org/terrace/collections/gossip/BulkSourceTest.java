package org.terrace.collections.gossip;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.collections.state.ReplicaState;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;

/** The giving side of a transfer, whose pullers' requests may come late and out of order. */
class BulkSourceTest {
  private static final Member PULLER =
      new Member(
          "puller",
          Member.idAt("puller", 1_700_000_000_000_000_000L),
          InetSocketAddress.createUnresolved("puller", 1));

  private final BulkSource source = new BulkSource(new ReplicaState(1), 1 << 10);

  private @Nullable Encoder asked(long number) {
    Encoder request = new Encoder();
    request.putUnsigned(number);
    request.putUnsigned(0);
    return source.answer(0, PULLER, Decoder.copyOf(request.asBuffer()));
  }

  @Test
  void aRequestOfAnEarlierTransferThatComesLateEndsNoLaterOne() {
    assertThat(asked(1)).isNotNull();
    assertThat(asked(3)).isNotNull();
    assertThat(asked(2)).as("an earlier one").isNull();
    assertThat(asked(1)).as("the first one").isNull();
    assertThat(asked(3)).as("the present one, again").isNotNull();
    assertThat(asked(4)).as("a later one").isNotNull();
  }
}
