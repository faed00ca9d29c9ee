package org.terrace.board.page;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.terrace.board.store.Member;
import org.terrace.board.store.Member.Access;
import org.terrace.board.store.Members;
import org.terrace.board.store.Passwords;
import org.terrace.board.store.Submissions;

/** The pages on which visitors register, sign in and leave. Thread-safe. */
final class MemberPages {
  private static final int NAME_CHARACTERS = 40;
  private static final int EMAIL_CHARACTERS = 80;
  private static final Pattern NICKNAME = Pattern.compile("[A-Za-z0-9_-]{2,20}");

  private final Members members;
  private final Submissions submissions;
  private final Identity identity;
  private final SecureRandom salts = new SecureRandom();

  MemberPages(Members members, Submissions submissions, Identity identity) {
    this.members = members;
    this.submissions = submissions;
    this.identity = identity;
  }

  Reply register(Visit visit) {
    return Reply.page(registration(visit, Optional.empty()));
  }

  Reply registerUser(Visit visit) throws SQLException {
    Member member;
    try {
      member = add(visit);
    } catch (Problem problem) {
      return Reply.problem(problem.status(), registration(visit, Optional.of(problem)));
    }
    State state = State.REGISTER_USER;
    Html html = Layout.begin(state, "Welcome", Optional.of(member));
    html.raw("<div class=\"done\">");
    Layout.heading(html, "Welcome, " + member.nickname(), "You are registered and signed in.");
    html.raw("<p>Read what is new, or submit a story of your own.</p></div>");
    return Reply.page(Layout.end(html, state)).signedIn(Optional.of(member));
  }

  Reply authorLogin(Visit visit) {
    return Reply.page(login(visit, Optional.empty()));
  }

  Reply leave(Visit visit) {
    Visit stranger = visit.by(Optional.empty());
    return Reply.page(login(stranger, Optional.empty())).signedOut();
  }

  Reply authorTask(Visit visit) throws SQLException {
    Member author;
    try {
      Optional<Member> known = identity.of(visit);
      if (known.isPresent() && !known.get().may(Access.AUTHOR) && !known.equals(visit.member())) {
        return Reply.page(login(visit.by(known), Optional.empty())).signedIn(known);
      }
      author = Identity.allowed(known, Access.AUTHOR, "authors");
    } catch (Problem problem) {
      return Reply.problem(problem.status(), login(visit, Optional.of(problem)));
    }
    State state = State.AUTHOR_TASK;
    Html html = Layout.begin(state, "Author's desk", Optional.of(author));
    Layout.heading(html, "Author's desk", "").raw("<ul class=\"tasks\"><li>");
    int waiting = submissions.count();
    Layout.link(html, State.REVIEW_STORIES, "card").raw("<b>Review submissions</b><span>");
    html.number(waiting).raw(waiting == Submissions.COUNTED_AT_MOST ? " or more" : "");
    html.raw(" waiting</span></a></li></ul>");
    signOut(html);
    return Reply.page(Layout.end(html, state)).signedIn(Optional.of(author));
  }

  private Member add(Visit visit) throws SQLException, Problem {
    String firstName = visit.text("first-name", "First name", NAME_CHARACTERS);
    String lastName = visit.text("last-name", "Last name", NAME_CHARACTERS);
    String nickname = visit.text("nickname", "Nickname", Forms.NICKNAME_CHARACTERS);
    String email = visit.text("email", "E-mail", EMAIL_CHARACTERS);
    String password = visit.text("password", "Password", Forms.PASSWORD_CHARACTERS);
    if (!NICKNAME.matcher(nickname).matches()) {
      throw Problem.wrongInput(
          "A nickname has 2 to 20 of: letters a to z, digits, hyphen, underscore.");
    }
    int at = email.indexOf('@');
    if (at < 1 || at == email.length() - 1) {
      throw Problem.wrongInput("An e-mail address has an @ inside.");
    }
    byte[] salt = new byte[Passwords.SALT_BYTES];
    salts.nextBytes(salt);
    String hash = Passwords.hash(password, salt, Passwords.ROUNDS);
    return members
        .add(nickname, firstName, lastName, email, hash)
        .orElseThrow(() -> Problem.wrongInput("That nickname is taken: choose another."));
  }

  private static Html registration(Visit visit, Optional<Problem> problem) {
    State state = State.REGISTER;
    Html html = Layout.begin(state, "Register", visit.member());
    Layout.heading(html, "Register", "So that your stories and comments carry your name.");
    Layout.form(Layout.message(html, problem), State.REGISTER_USER, "post");
    Forms.line(
        html, visit, "first-name", "First name", NAME_CHARACTERS, "autocomplete=\"given-name\"");
    Forms.line(
        html, visit, "last-name", "Last name", NAME_CHARACTERS, "autocomplete=\"family-name\"");
    Forms.line(
        html,
        visit,
        "nickname",
        "Nickname",
        Forms.NICKNAME_CHARACTERS,
        "required autocomplete=\"username\"");
    Forms.line(
        html, visit, "email", "E-mail", EMAIL_CHARACTERS, "type=\"email\" autocomplete=\"email\"");
    Forms.password(html, "required autocomplete=\"new-password\"");
    return Layout.end(Forms.send(html, "Register"), state);
  }

  private static Html login(Visit visit, Optional<Problem> problem) {
    State state = State.AUTHOR_LOGIN;
    Html html = Layout.begin(state, "Sign in", visit.member());
    Layout.heading(
        html,
        "Sign in",
        visit
            .member()
            .map(member -> "You are signed in as " + member.nickname() + ".")
            .orElse("Authors decide which submitted stories appear."));
    Layout.form(Layout.message(html, problem), State.AUTHOR_TASK, "post");
    Visit unknown = visit.by(Optional.empty());
    Forms.line(
        html,
        unknown,
        "nickname",
        "Nickname",
        Forms.NICKNAME_CHARACTERS,
        "required autocomplete=\"username\"");
    Forms.password(html, "required autocomplete=\"current-password\"");
    Forms.send(html, "Sign in");
    if (visit.member().isPresent()) {
      signOut(html);
    }
    return Layout.end(html, state);
  }

  /** No {@code data-page}: an emulated user never leaves this way. */
  private static void signOut(Html html) {
    html.raw("<form class=\"leave\" method=\"post\" action=\"").text(State.AUTHOR_LOGIN.path());
    html.raw("\"><button class=\"quiet\">Sign out</button></form>");
  }
}
