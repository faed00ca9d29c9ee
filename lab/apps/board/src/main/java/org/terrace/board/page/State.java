package org.terrace.board.page;

/** The 24 states of RUBBoS: each is one page at one path. */
public enum State {
  STORIES_OF_THE_DAY("StoriesOfTheDay", "/"),
  REGISTER("Register", "/register"),
  REGISTER_USER("RegisterUser", "/register-user"),
  BROWSE("Browse", "/browse"),
  BROWSE_CATEGORIES("BrowseCategories", "/browse-categories"),
  BROWSE_STORIES_IN_CATEGORY("BrowseStoriesInCategory", "/browse-stories-in-category"),
  OLDER_STORIES("OlderStories", "/older-stories"),
  VIEW_STORY("ViewStory", "/view-story"),
  POST_COMMENT("PostComment", "/post-comment"),
  STORE_COMMENT("StoreComment", "/store-comment"),
  VIEW_COMMENT("ViewComment", "/view-comment"),
  MODERATE_COMMENT("ModerateComment", "/moderate-comment"),
  STORE_MODERATE_LOG("StoreModerateLog", "/store-moderate-log"),
  SUBMIT_STORY("SubmitStory", "/submit-story"),
  STORE_STORY("StoreStory", "/store-story"),
  SEARCH("Search", "/search"),
  SEARCH_IN_STORIES("SearchInStories", "/search-in-stories"),
  SEARCH_IN_COMMENTS("SearchInComments", "/search-in-comments"),
  SEARCH_IN_USERS("SearchInUsers", "/search-in-users"),
  AUTHOR_LOGIN("AuthorLogin", "/author-login"),
  AUTHOR_TASK("AuthorTask", "/author-task"),
  REVIEW_STORIES("ReviewStories", "/review-stories"),
  ACCEPT_STORY("AcceptStory", "/accept-story"),
  REJECT_STORY("RejectStory", "/reject-story");

  private final String pageName;
  private final String path;

  State(String pageName, String path) {
    this.pageName = pageName;
    this.path = path;
  }

  /** The name by which a page and the links to it say what they are. */
  public String pageName() {
    return pageName;
  }

  /** The path of its URL. */
  public String path() {
    return path;
  }
}
