package org.terrace.seven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Reply;
import org.terrace.seven.application.TextReply;
import org.terrace.seven.parknpark.LotLine;
import org.terrace.seven.parknpark.Lots;

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
  void theReplyOfEveryMethodEndsWithItsPadding() {
    for (Application<?> application : SevenApplications.all()) {
      for (Method method : application.service().getMethods()) {
        assertThat(Reply.class).isAssignableFrom(method.getReturnType());
        assertThat(method.getReturnType().getRecordComponents())
            .extracting(RecordComponent::getName)
            .endsWith("padding", "rest");
      }
    }
  }

  @Test
  void aPaddedReplySaysTheSame() {
    var lots = List.of(new LotLine("P01", 3));
    Lots reply = Padding.to(256, new Lots(lots, null, null));

    assertThat(reply.lots()).isEqualTo(lots);
    assertThat(Padding.bytes(reply)).isEqualTo(256);
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
