package org.terrace.board;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.Optional;
import org.apache.catalina.Context;
import org.apache.tomcat.util.http.Rfc6265CookieProcessor;
import org.terrace.board.page.Draft;
import org.terrace.board.page.Reply;
import org.terrace.board.store.Member;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.tomcat.ReplicatedSessionManager;
import org.terrace.collections.tomcat.SessionAttributes;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.FieldNumber;

/**
 * The store of visitors' identities and drafts. Each entry lies at every application server before
 * the visitor gets his page, so that any of them can die. Thread-safe.
 */
final class Sessions {
  /** The cookie's name. */
  static final String COOKIE = "board_session";

  /** The time for which a session may lie unused. */
  private static final int IDLE_MINUTES = 12 * 60;

  private static final String MEMBER = "member";
  private static final String DRAFT = "draft:";

  /** A member as sessions hold him. */
  private record KnownMember(
      @FieldNumber(1) int id,
      @FieldNumber(2) String nickname,
      @FieldNumber(3) Member.Access access) {
    static KnownMember of(Member member) {
      return new KnownMember(member.id(), member.nickname(), member.access());
    }

    Member toMember() {
      return new Member(id, nickname, access);
    }
  }

  private Sessions() {}

  /** Lets a context keep its sessions in the collections. */
  static void install(Context context, ReplicatedCollections collections, TimeSource time) {
    SessionAttributes attributes =
        SessionAttributes.none().with(MEMBER, KnownMember.class).with(DRAFT + "*", Draft.class);
    context.setManager(
        new ReplicatedSessionManager(
            collections, "board-sessions", attributes, WriteLevel.ALL, time));
    context.setSessionCookieName(COOKIE);
    context.setSessionTimeout(IDLE_MINUTES);
    context.setUseHttpOnly(true);
    Rfc6265CookieProcessor cookies = new Rfc6265CookieProcessor();
    cookies.setSameSiteCookies("Strict");
    context.setCookieProcessor(cookies);
  }

  /** The visitor, if he has shown who he is. */
  static Optional<Member> member(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    return session != null && session.getAttribute(MEMBER) instanceof KnownMember known
        ? Optional.of(known.toMember())
        : Optional.empty();
  }

  /** The visitor's draft at a place. */
  static Optional<Draft> draft(HttpServletRequest request, String place) {
    HttpSession session = request.getSession(false);
    return session != null && session.getAttribute(DRAFT + place) instanceof Draft draft
        ? Optional.of(draft)
        : Optional.empty();
  }

  /** Keeps what has become of the visitor's session; every server has it when this returns. */
  static void remember(HttpServletRequest request, Reply.Session change) {
    switch (change) {
      case Reply.Unchanged unchanged -> {}
      case Reply.SignedIn in -> signIn(request, in.member());
      case Reply.SignedOut out -> signOut(request);
      case Reply.Kept kept -> {
        kept.member().ifPresent(member -> signIn(request, member));
        request.getSession(true).setAttribute(DRAFT + kept.place(), kept.draft());
      }
      case Reply.Sent sent -> {
        sent.member().ifPresent(member -> signIn(request, member));
        HttpSession session = request.getSession(false);
        if (session != null) {
          session.removeAttribute(DRAFT + sent.place());
        }
      }
    }
  }

  /**
   * Whoever signs in gets another identifier, so that nobody can have slipped him one he knows, and
   * nothing of somebody else's who was signed in before.
   */
  private static void signIn(HttpServletRequest request, Member member) {
    Optional<Member> earlier = member(request);
    if (earlier.filter(member::equals).isPresent()) {
      return;
    }
    if (earlier.isPresent()) {
      signOut(request);
    }
    HttpSession before = request.getSession(false);
    HttpSession session = request.getSession(true);
    if (before != null) {
      request.changeSessionId();
    }
    session.setAttribute(MEMBER, KnownMember.of(member));
  }

  private static void signOut(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    if (session != null) {
      session.invalidate();
    }
  }
}
