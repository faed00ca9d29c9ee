package org.terrace.invocation.softstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;

/** The replies that a scope is given to decide. */
class SoftStateExecutionTest {
  private final List<byte[]> decided = new ArrayList<>();
  private final SoftStateExecution execution =
      new SoftStateExecution(
          (request, answers, work, effective) -> {
            byte[] reply = work.call();
            decided.add(reply);
            return Optional.of(reply);
          },
          () -> false);

  private CallReply execute(Status status) {
    CallRequest request =
        new CallRequest("seats", "sell", new RequestIdentity(1, 1), 1, 1_000, true, new byte[0]);
    return execution.execute(request, _ -> new CallReply(status, new byte[] {7}));
  }

  @Test
  void aCallThatCameTooLateIsToldSoAndNeverDecided() {
    CallReply reply = execute(Status.REJECTED);
    assertThat(reply.status()).isEqualTo(Status.REJECTED);
    assertThat(reply.body()).containsExactly(7);
    assertThat(decided).isEmpty();
  }

  @Test
  void resultsAndRefusalsAreDecided() {
    for (Status status : List.of(Status.RESULT, Status.REFUSED)) {
      CallReply reply = execute(status);
      assertThat(reply.status()).isEqualTo(status);
      assertThat(reply.body()).containsExactly(7);
    }
    assertThat(decided).hasSize(2);
  }
}
