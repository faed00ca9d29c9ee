package org.terrace.middleware;

import org.jspecify.annotations.Nullable;

/** A call that was sent and whose reply is not here yet. Confined to the thread that sent it. */
public interface PendingCall {

  /**
   * Waits for the reply on this thread.
   *
   * @return the reply, or null if it did not come in that time: then one may wait again
   * @throws CallFailedException if there will be none
   */
  @Nullable CallReply await(long patienceNanos) throws CallFailedException;

  /** Lets another thread wait, and tells the sink what came; this object is not used any more. */
  void detach(Sink sink);

  /** Tells the replica that the reply is no longer wanted, as far as the middleware can. */
  void abandon();

  /** The receiver of a reply that another thread waited for. */
  interface Sink {
    /** The reply came. */
    void replied(CallReply reply);

    /** The call failed: no reply will come. */
    void failed(CallFailedException failure);
  }
}
