package org.terrace.board.page;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.terrace.board.store.Member;

/**
 * A request for a page: who asks, and what he filled in.
 *
 * @param member the visitor, if he has signed in
 * @param fields the fields of the query or of the form, by name
 * @param drafts the visitor's draft at a place
 */
public record Visit(
    Optional<Member> member, Map<String, String> fields, Function<String, Optional<Draft>> drafts) {
  /** The last page of a list that is shown: whoever wants more narrows the search. */
  private static final int LAST_PAGE = 999;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  public Visit {
    fields = Map.copyOf(fields);
  }

  /** Whether a form is to be kept rather than sent. */
  boolean keeps() {
    return value(Forms.KEEP).equals(Forms.KEEP_VALUE);
  }

  /** The same visit by somebody else. */
  Visit by(Optional<Member> other) {
    return new Visit(other, fields, drafts);
  }

  /** The same with the visitor's draft filled in, if he has one there and filled in nothing. */
  Visit withDraft(String place, String titleField) {
    if (!value(titleField).isEmpty() || !value("body").isEmpty()) {
      return this;
    }
    Optional<Draft> draft = drafts.apply(place);
    if (draft.isEmpty()) {
      return this;
    }
    Map<String, String> filled = new HashMap<>(fields);
    filled.put(titleField, draft.get().title());
    filled.put("body", draft.get().body());
    return new Visit(member, filled, drafts);
  }

  /** The draft in the form, of which nothing needs to be filled in yet. */
  Draft draft(String titleField) throws Problem {
    return new Draft(
        optionalText(titleField, "Title", Forms.TITLE_CHARACTERS),
        optionalText("body", "Text", Forms.BODY_CHARACTERS));
  }

  private String optionalText(String name, String label, int mostCharacters) throws Problem {
    return value(name).isEmpty() ? "" : text(name, label, mostCharacters);
  }

  /** The text that was filled in, without blanks around it; empty if the field is not there. */
  String value(String name) {
    return fields.getOrDefault(name, "").strip();
  }

  /** A text that must be there. */
  String text(String name, String label, int mostCharacters) throws Problem {
    String value = value(name);
    if (value.isEmpty()) {
      throw Problem.wrongInput("Please fill in: " + label + ".");
    }
    if (value.length() > mostCharacters) {
      throw Problem.wrongInput(
          "%s has %,d characters; at most %,d are possible."
              .formatted(label, value.length(), mostCharacters));
    }
    if (value.indexOf('\0') >= 0) {
      throw Problem.wrongInput(label + " has a character that cannot be stored (NUL).");
    }
    return value;
  }

  /** An id that names something; what is no id names nothing. */
  int id(String name) throws Problem {
    String value = value(name);
    if (!NUMBER.matcher(value).matches()) {
      throw Problem.notFound("The address does not name a " + name + ".");
    }
    return Integer.parseInt(value);
  }

  /** An id that may be left out; 0 then. */
  int idOrZero(String name) throws Problem {
    return value(name).isEmpty() ? 0 : id(name);
  }

  /** The number of the page of a list, from 0. */
  int page() throws Problem {
    int page = idOrZero("page");
    if (page > LAST_PAGE) {
      throw Problem.notFound("Lists end at page " + LAST_PAGE + ".");
    }
    return page;
  }
}
