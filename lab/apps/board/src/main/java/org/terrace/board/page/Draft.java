package org.terrace.board.page;

import org.terrace.core.codec.FieldNumber;

/**
 * A text that a visitor has written and not sent yet; it lies in the visitor's session.
 *
 * @param title the title or subject
 * @param body the text
 */
public record Draft(@FieldNumber(1) String title, @FieldNumber(2) String body) {

  /** The place of the draft of a story. */
  static final String OF_STORY = "story";

  /** The place of the draft of a comment. */
  static String ofComment(int story, int parent) {
    return "comment-" + story + "-" + parent;
  }
}
