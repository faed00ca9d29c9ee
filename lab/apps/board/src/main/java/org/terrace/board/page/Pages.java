package org.terrace.board.page;

import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.terrace.board.store.Comments;
import org.terrace.board.store.Database;
import org.terrace.board.store.Members;
import org.terrace.board.store.Stories;
import org.terrace.board.store.Submissions;

/** All pages of the board by path and method. Thread-safe. */
public final class Pages {
  private static final int SUGGESTIONS = 32;
  private static final int TITLES_READ_FOR_SUGGESTIONS = 200;
  private static final int SHORTEST_SUGGESTION = 4;

  private final Map<String, State> byPath = new HashMap<>();
  private final Map<State, Maker> reads = new EnumMap<>(State.class);
  private final Map<State, Maker> writes = new EnumMap<>(State.class);

  /** Makes the answer to a visit of one page. */
  @FunctionalInterface
  private interface Maker {
    Reply make(Visit visit) throws SQLException, Problem;
  }

  /** The pages over a database, of which some titles are read for suggestions of searches. */
  public Pages(Database database) throws SQLException {
    Stories stories = new Stories(database);
    Comments comments = new Comments(database);
    Members members = new Members(database);
    Submissions submissions = new Submissions(database);
    Identity identity = new Identity(members);
    StoryPages storyPages = new StoryPages(stories, comments);
    CommentPages commentPages = new CommentPages(stories, comments, identity);
    MemberPages memberPages = new MemberPages(members, submissions, identity);
    SubmissionPages submissionPages =
        new SubmissionPages(stories, submissions, identity, memberPages);
    SearchPages searchPages = new SearchPages(stories, comments, members, suggestions(stories));

    read(State.STORIES_OF_THE_DAY, storyPages::storiesOfTheDay);
    read(State.BROWSE, storyPages::browse);
    read(State.BROWSE_CATEGORIES, storyPages::browseCategories);
    read(State.BROWSE_STORIES_IN_CATEGORY, storyPages::browseStoriesInCategory);
    read(State.OLDER_STORIES, storyPages::olderStories);
    read(State.VIEW_STORY, storyPages::viewStory);
    read(State.POST_COMMENT, commentPages::postComment);
    write(State.STORE_COMMENT, commentPages::storeComment);
    read(State.VIEW_COMMENT, commentPages::viewComment);
    read(State.MODERATE_COMMENT, commentPages::moderateComment);
    write(State.STORE_MODERATE_LOG, commentPages::storeModerateLog);
    read(State.SUBMIT_STORY, submissionPages::submitStory);
    write(State.STORE_STORY, submissionPages::storeStory);
    read(State.SEARCH, searchPages::search);
    read(State.SEARCH_IN_STORIES, searchPages::searchInStories);
    read(State.SEARCH_IN_COMMENTS, searchPages::searchInComments);
    read(State.SEARCH_IN_USERS, searchPages::searchInUsers);
    read(State.REGISTER, memberPages::register);
    write(State.REGISTER_USER, memberPages::registerUser);
    read(State.AUTHOR_LOGIN, memberPages::authorLogin);
    write(State.AUTHOR_LOGIN, memberPages::leave);
    read(State.AUTHOR_TASK, memberPages::authorTask);
    write(State.AUTHOR_TASK, memberPages::authorTask);
    read(State.REVIEW_STORIES, submissionPages::reviewStories);
    write(State.ACCEPT_STORY, submissionPages::acceptStory);
    write(State.REJECT_STORY, submissionPages::rejectStory);
  }

  /** The state at a path. */
  public Optional<State> at(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  /**
   * The answer to a visit; empty if the state has no page for the method.
   *
   * @param write whether the visit may change something (POST)
   */
  public Optional<Reply> visit(State state, boolean write, Visit visit) throws SQLException {
    Maker maker = (write ? writes : reads).get(state);
    if (maker == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(maker.make(visit));
    } catch (Problem problem) {
      return Optional.of(failure(problem.status(), problem.message()));
    }
  }

  /** The answer when there is no page. */
  public static Reply failure(int status, String message) {
    String title =
        switch (status) {
          case 403 -> "Not allowed";
          case 404 -> "Nothing here";
          case 405 -> "Not this way";
          case 413 -> "Too much";
          case 503 -> "Please come back";
          default -> "That did not work";
        };
    return Reply.problem(status, Layout.error(status, title, message));
  }

  private void read(State state, Maker maker) {
    byPath.put(state.path(), state);
    reads.put(state, maker);
  }

  private void write(State state, Maker maker) {
    byPath.put(state.path(), state);
    writes.put(state, maker);
  }

  private static List<String> suggestions(Stories stories) throws SQLException {
    Set<String> words = new LinkedHashSet<>();
    for (String title : stories.newestTitles(TITLES_READ_FOR_SUGGESTIONS)) {
      for (String word : title.toLowerCase(Locale.ROOT).split("[^\\p{L}]+", -1)) {
        if (word.length() >= SHORTEST_SUGGESTION && words.size() < SUGGESTIONS) {
          words.add(word);
        }
      }
    }
    return words.stream().sorted().toList();
  }
}
