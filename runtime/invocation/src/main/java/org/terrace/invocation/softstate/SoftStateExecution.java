package org.terrace.invocation.softstate;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.terrace.invocation.Execution;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;

/**
 * The execution of calls at a replica of a soft-state service: every update within the scope of its
 * identity, as the authority if it is asked to answer; reads as they come. Thread-safe.
 */
public final class SoftStateExecution implements Execution {
  private static final CallReply.Status[] STATUSES = CallReply.Status.values();

  private final UpdateScope scope;
  private final BooleanSupplier behind;

  /**
   * An execution whose updates take effect in that scope.
   *
   * @param behind whether this replica is known to miss updates
   */
  public SoftStateExecution(UpdateScope scope, BooleanSupplier behind) {
    this.scope = scope;
    this.behind = behind;
  }

  @Override
  public boolean isBehind() {
    return behind.getAsBoolean();
  }

  @Override
  public CallReply execute(CallRequest request, Executable work) {
    try {
      Optional<byte[]> reply =
          scope.execute(
              request.identity(),
              request.replyWanted(),
              () -> toBytes(inTime(work.run(null))),
              bytes -> statusOf(bytes) == CallReply.Status.RESULT);
      return reply
          .map(SoftStateExecution::toReply)
          .orElseGet(() ->
              CallReply.saying(
                  CallReply.Status.FAILED,
                  "request " + request.identity() + " is too old to know what became of"));
    } catch (NotRunException e) {
      return e.reply;
    } catch (Throwable e) {
      return CallReply.saying(CallReply.Status.FAILED, String.valueOf(e));
    }
  }

  /** Leaves the scope before it decides on the reply of a work that was not run. */
  private static CallReply inTime(CallReply reply) throws NotRunException {
    if (reply.status() == CallReply.Status.REJECTED) {
      throw new NotRunException(reply);
    }
    return reply;
  }

  /** A work that was not run; its reply is of this attempt alone. */
  @SuppressWarnings("serial")
  private static final class NotRunException extends Exception {
    final CallReply reply;

    NotRunException(CallReply reply) {
      super(null, null, false, false);
      this.reply = reply;
    }
  }

  private static byte[] toBytes(CallReply reply) {
    byte[] bytes = new byte[1 + reply.body().length];
    bytes[0] = (byte) reply.status().ordinal();
    System.arraycopy(reply.body(), 0, bytes, 1, reply.body().length);
    return bytes;
  }

  private static CallReply.Status statusOf(byte[] bytes) {
    return STATUSES[bytes[0]];
  }

  private static CallReply toReply(byte[] bytes) {
    return new CallReply(statusOf(bytes), Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  @Override
  public void close() {}
}
