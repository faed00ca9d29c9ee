package org.terrace.groups.membership;

import org.terrace.groups.Member;

/**
 * One statement about one member, as members pass it on. Immutable.
 *
 * @param subject whom it is about
 * @param state what is said
 * @param refutation how often the subject had defended itself when this was said, 0 or more
 * @param accuser identity of the member that suspects, or that said it
 */
public record Rumor(Member subject, State state, int refutation, long accuser) {
  /** The state that a rumor claims, in the order in which it overrides at equal refutations. */
  public enum State {
    /** It answers. */
    ALIVE,
    /** It did not answer the accuser, neither directly nor through others. */
    SUSPECTED,
    /** Enough members suspected it for long enough, and it did not defend itself. */
    DEAD,
    /** It said goodbye, or a later incarnation of the same process took its place. */
    LEFT
  }
}
