package org.terrace.board.page;

import java.sql.SQLException;
import java.util.Optional;
import org.terrace.board.store.Member;
import org.terrace.board.store.Member.Access;
import org.terrace.board.store.Members;
import org.terrace.board.store.Passwords;

/**
 * The member that a visitor is: by the nickname and password in a form, or else known from the
 * session.
 */
final class Identity {
  private final Members members;

  Identity(Members members) {
    this.members = members;
  }

  /** The visitor; empty if he is not known and did not say who he is. */
  Optional<Member> of(Visit visit) throws SQLException, Problem {
    String nickname = visit.value("nickname");
    String password = visit.value("password");
    if (nickname.isEmpty() && password.isEmpty()) {
      return visit.member();
    }
    if (nickname.indexOf('\0') >= 0 || password.length() > Forms.PASSWORD_CHARACTERS) {
      throw wrong();
    }
    Members.Credentials found = members.byNickname(nickname).orElseThrow(Identity::wrong);
    if (!Passwords.matches(password, found.passwordHash())) {
      throw wrong();
    }
    return Optional.of(found.member());
  }

  /** The visitor, who must have a right. */
  Member needed(Visit visit, Access access, String what) throws SQLException, Problem {
    return allowed(of(visit), access, what);
  }

  /** The person who is known, and must have a right. */
  static Member allowed(Optional<Member> known, Access access, String what) throws Problem {
    Member member =
        known.orElseThrow(() -> Problem.forbidden("Please sign in: this is for " + what + "."));
    if (!member.may(access)) {
      throw Problem.forbidden("This is for " + what + ".");
    }
    return member;
  }

  private static Problem wrong() {
    return Problem.wrongInput("Nickname and password do not belong together.");
  }
}
