package org.terrace.load.page;

import org.jspecify.annotations.Nullable;

/** The source of what a user writes into the fields of forms. */
@FunctionalInterface
public interface FormFiller {
  /**
   * The text for one field.
   *
   * @param state the state that the form leads to
   * @param field the field's name
   * @param suggestion one of the words that the page suggests, or null when it suggests none
   * @return the text, or null to leave the field out
   */
  @Nullable String fill(String state, String field, @Nullable String suggestion);
}
