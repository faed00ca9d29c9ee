package org.terrace.board.page;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.Optional;
import org.terrace.board.store.Member;

/** The fields of forms. What was filled in before is kept, except passwords. */
final class Forms {
  /** The longest nickname in characters. */
  static final int NICKNAME_CHARACTERS = 20;

  /** The longest password in characters. */
  static final int PASSWORD_CHARACTERS = 72;

  /** The longest title or subject in characters. */
  static final int TITLE_CHARACTERS = 100;

  /** The longest text in characters. */
  static final int BODY_CHARACTERS = 8_192;

  /** The field that says what to do with a form. */
  static final String KEEP = "keep";

  /** The value of {@link #KEEP} that keeps a form as a draft. */
  static final String KEEP_VALUE = "draft";

  private Forms() {}

  /** A field of one line. */
  static Html line(
      Html html,
      Visit visit,
      @CompileTimeConstant String name,
      @CompileTimeConstant String label,
      int mostCharacters,
      @CompileTimeConstant String moreAttributes) {
    html.raw("<p class=\"field\"><label for=\"").raw(name).raw("\">").raw(label);
    html.raw("</label><input id=\"").raw(name).raw("\" name=\"").raw(name);
    html.raw("\" maxlength=\"").number(mostCharacters).raw("\" value=\"").text(visit.value(name));
    return html.raw("\" ").raw(moreAttributes).raw("></p>");
  }

  /** A field for a password. */
  static Html password(Html html, @CompileTimeConstant String moreAttributes) {
    html.raw("<p class=\"field\"><label for=\"password\">Password</label><input id=\"password\"");
    html.raw(" name=\"password\" type=\"password\" maxlength=\"").number(PASSWORD_CHARACTERS);
    return html.raw("\" ").raw(moreAttributes).raw("></p>");
  }

  /** A field of several lines. */
  static Html body(Html html, Visit visit) {
    html.raw("<p class=\"field\"><label for=\"body\">Text</label><textarea id=\"body\" name=");
    html.raw("\"body\" rows=\"9\" maxlength=\"").number(BODY_CHARACTERS).raw("\" required>");
    return html.text(visit.value("body")).raw("</textarea></p>");
  }

  /** Nickname and password, unless the visitor is known: then who he is. */
  static Html identity(Html html, Visit visit, @CompileTimeConstant String hint) {
    Optional<Member> member = visit.member();
    if (member.isPresent()) {
      return html.raw("<p class=\"as\">As <b>").text(member.get().nickname()).raw("</b></p>");
    }
    html.raw("<fieldset><legend>").raw(hint).raw("</legend>");
    line(html, visit, "nickname", "Nickname", NICKNAME_CHARACTERS, "autocomplete=\"username\"");
    return password(html, "autocomplete=\"current-password\"").raw("</fieldset>");
  }

  /** A hidden number. */
  static Html hidden(Html html, @CompileTimeConstant String name, long value) {
    html.raw("<input type=\"hidden\" name=\"").raw(name).raw("\" value=\"").number(value);
    return html.raw("\">");
  }

  /** The buttons that send a form or keep it as a draft, and the end of the form. */
  static Html sendOrKeep(Html html, @CompileTimeConstant String label) {
    html.raw("<p class=\"send\"><button>")
        .raw(label)
        .raw("</button> <button class=\"quiet\" name=\"");
    html.raw(KEEP).raw("\" value=\"").raw(KEEP_VALUE);
    return html.raw("\" formnovalidate>Keep as draft</button></p></form>");
  }

  /** Writes the note above a form that has been kept. */
  static Html kept(Html html) {
    return html.raw("<p class=\"kept\" role=\"status\">Your draft is kept.</p>");
  }

  /** The button that sends a form, and the end of the form. */
  static Html send(Html html, @CompileTimeConstant String label) {
    return html.raw("<p class=\"send\"><button>").raw(label).raw("</button></p></form>");
  }
}
