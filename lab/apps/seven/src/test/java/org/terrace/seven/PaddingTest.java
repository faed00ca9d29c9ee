package org.terrace.seven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.invocation.BusinessException;

class PaddingTest {
  @Test
  void everyReplyThatLeavesRoomGetsExactlyTheBytesAskedFor() {
    List<String> wrong = new ArrayList<>();
    for (int bytes : new int[] {256, 512, 1_024}) {
      for (int length = 0; length < bytes - 8; length++) {
        TextReply reply = TextReply.of("x".repeat(length), bytes);
        if (Padding.bytes(reply) != bytes) {
          wrong.add(length + " to " + bytes + ": " + Padding.bytes(reply));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void anOriginalReplyCarriesNoPadding() {
    assertThat(NumberReply.of(12, Padding.ORIGINAL)).isEqualTo(new NumberReply(12, null, null));
    assertThat(Padding.bytes(NumberReply.of(12, Padding.ORIGINAL))).isEqualTo(4);
  }

  @Test
  void aReplyThatIsLongerStaysAsItIs() {
    TextReply reply = TextReply.of("x".repeat(300), 256);

    assertThat(reply.padding()).isNull();
  }

  @Test
  void aSizeOutOfBoundsIsRefused() {
    assertThatThrownBy(() -> NumberReply.of(1, Padding.REPLY_BYTES_MAX + 1))
        .isInstanceOf(BusinessException.class)
        .hasMessageContaining("16001");
  }
}
