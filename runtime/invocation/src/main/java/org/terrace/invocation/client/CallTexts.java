package org.terrace.invocation.client;

import java.nio.charset.StandardCharsets;
import org.terrace.middleware.CallReply;

/** What replies without a result say to people. */
final class CallTexts {
  private static final int REASON_BYTES_MAX = 1_000;

  private CallTexts() {}

  static String reason(CallReply reply) {
    int length = Math.min(reply.body().length, REASON_BYTES_MAX);
    return new String(reply.body(), 0, length, StandardCharsets.UTF_8);
  }
}
