package org.terrace.invocation.client;

import java.nio.charset.StandardCharsets;
import org.terrace.middleware.CallReply;

/** The texts for people in replies without a result. */
final class CallTexts {
  private static final int REASON_BYTES_MAX = 1_000;

  private CallTexts() {}

  static String reason(CallReply reply) {
    int length = Math.min(reply.body().length, REASON_BYTES_MAX);
    return new String(reply.body(), 0, length, StandardCharsets.UTF_8);
  }
}
