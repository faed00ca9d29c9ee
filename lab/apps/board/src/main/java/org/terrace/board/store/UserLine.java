package org.terrace.board.store;

import java.util.List;

/**
 * A user in a list, with the stories he wrote last.
 *
 * @param stories the newest first; their excerpts are empty
 */
public record UserLine(
    String nickname, int rating, Member.Access access, long sinceSeconds, List<StoryLine> stories) {
  public UserLine {
    stories = List.copyOf(stories);
  }
}
