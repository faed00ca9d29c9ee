package org.terrace.groups.membership;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/**
 * A message between members about who is alive. Immutable.
 *
 * @param kind what the sender wants
 * @param from the sender
 * @param understood the versions of the protocol that the sender understands
 * @param refutation how often the sender had defended itself
 * @param sequence pairs an answer with its question
 * @param subject whom a probe is meant for; none in the other kinds
 * @param rumors what is passed on along the way
 */
public record MembershipMessage(
    Kind kind,
    Member from,
    ProtocolVersions understood,
    int refutation,
    long sequence,
    @Nullable Member subject,
    List<Rumor> rumors) {
  /** The intent of the sender. */
  public enum Kind {
    /** Answer me. */
    PING,
    /** Probe the subject for me. */
    PING_REQUEST,
    /** An answer to a probe: the sender's own, or word that the subject answered it. */
    ACK,
    /** The subject has not answered me either; at least I am here. */
    NACK,
    /** A list of all whom the sender knows; asks for the receiver's. */
    SYNC,
    /** A list of all whom the sender knows, the answer to {@link #SYNC}. */
    SYNC_REPLY
  }

  /** Copies the rumors. */
  public MembershipMessage {
    rumors = List.copyOf(rumors);
  }
}
