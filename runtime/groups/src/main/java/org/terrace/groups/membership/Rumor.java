package org.terrace.groups.membership;

import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;

/**
 * One statement about one member, as members pass it on. Immutable.
 *
 * @param subject whom it is about
 * @param state what is said
 * @param refutation how often the subject had defended itself when this was said, 0 or more
 * @param accuser identity of the member that suspects, or that said it
 * @param understood the versions of the protocol that the subject understands, if known
 */
public record Rumor(
    Member subject,
    State state,
    int refutation,
    long accuser,
    @Nullable ProtocolVersions understood) {
  /** A statement of somebody who does not know, or does not say, what the subject understands. */
  public Rumor(Member subject, State state, int refutation, long accuser) {
    this(subject, state, refutation, accuser, null);
  }

  /** The same, of a subject that understands these versions. */
  Rumor withUnderstood(@Nullable ProtocolVersions versions) {
    return new Rumor(subject, state, refutation, accuser, versions);
  }

  /** The state that a rumor claims, in the order in which it overrides at equal refutations. */
  public enum State {
    /** The member answers. */
    ALIVE,
    /** The member did not answer the accuser, neither directly nor through others. */
    SUSPECTED,
    /** Enough members suspected it for long enough, and it did not defend itself. */
    DEAD,
    /** The member said goodbye, or a later incarnation of the same process took its place. */
    LEFT
  }
}
