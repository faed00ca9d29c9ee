package org.terrace.protocols.decoder;

import org.terrace.observation.Outcome;
import org.terrace.wire.tcp.Conversation.Ending;

/** The outcomes of requests that are open when their connection ends. */
public final class Endings {
  private Endings() {}

  /** The outcome of a request that had no response when its connection ended. */
  public static Outcome outcomeOfOpen(Ending ending) {
    return switch (ending) {
      case CLOSED, RESET -> Outcome.ABORTED;
      case REPLACED, EVICTED, CAPTURE_ENDED -> Outcome.UNFINISHED;
    };
  }
}
