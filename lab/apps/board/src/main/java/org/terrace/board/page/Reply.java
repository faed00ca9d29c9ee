package org.terrace.board.page;

import java.util.Optional;
import org.terrace.board.store.Member;

/**
 * The answer to a visit.
 *
 * @param status the HTTP status
 * @param html the page
 * @param session what becomes of the visitor's session
 */
public record Reply(int status, Html html, Session session) {

  /** The change that a reply makes to the visitor's session. */
  public sealed interface Session {}

  /** The absence of a change: the session stays as it is. */
  public record Unchanged() implements Session {}

  /** The visitor is signed in from now on. */
  public record SignedIn(Member member) implements Session {}

  /** The visitor is a stranger from now on. */
  public record SignedOut() implements Session {}

  /**
   * A draft is kept from now on.
   *
   * @param member who the visitor has just shown to be, if he has
   */
  public record Kept(Optional<Member> member, String place, Draft draft) implements Session {}

  /** The former draft has been sent. */
  public record Sent(Optional<Member> member, String place) implements Session {}

  private static final int OK = 200;
  private static final Unchanged UNCHANGED = new Unchanged();

  /** A page as it was asked for. */
  static Reply page(Html html) {
    return new Reply(OK, html, UNCHANGED);
  }

  /** A page for a problem. */
  static Reply problem(int status, Html html) {
    return new Reply(status, html, UNCHANGED);
  }

  /** The same, for a visitor who has just shown who he is, if he has. */
  Reply signedIn(Optional<Member> member) {
    return member.isEmpty() ? this : new Reply(status, html, new SignedIn(member.get()));
  }

  /** The same, with a draft kept for the visitor, who may have just shown who he is. */
  Reply keeping(Optional<Member> member, String place, Draft draft) {
    return new Reply(status, html, new Kept(member, place, draft));
  }

  /** The same, with what was a draft sent by the visitor, who may have just shown who he is. */
  Reply sent(Optional<Member> member, String place) {
    return new Reply(status, html, new Sent(member, place));
  }

  /** The same, for a visitor who leaves. */
  Reply signedOut() {
    return new Reply(status, html, new SignedOut());
  }
}
