package org.terrace.load.page;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a user of the board: names and passwords of accounts that the board has at every
 * scale, fresh names to register, and made-up text of the lengths that RUBBoS's users write. One
 * session's; confined to one thread.
 */
public final class BoardForms implements FormFiller {
  /** Accounts {@code user1} to this many exist, with passwords to match. */
  static final int USERS = 100;

  /** Accounts {@code author1} to this many exist, with passwords to match. */
  static final int AUTHORS = 50;

  private static final int SUBJECT_LIMIT = 99;
  private static final int BODY_LIMIT = 1024;
  private static final int BODY_LEAST = 32;
  private static final int BASE = 36;

  private static final String[] WORDS = {
    "about",
    "again",
    "answer",
    "apple",
    "autumn",
    "bridge",
    "carbon",
    "change",
    "circle",
    "coffee",
    "copper",
    "corner",
    "danger",
    "desert",
    "distance",
    "engine",
    "evening",
    "faster",
    "figure",
    "forest",
    "garden",
    "glass",
    "harbour",
    "history",
    "island",
    "journey",
    "kernel",
    "language",
    "letter",
    "market",
    "memory",
    "mirror",
    "morning",
    "network",
    "number",
    "ocean",
    "orange",
    "paper",
    "people",
    "picture",
    "planet",
    "pocket",
    "printer",
    "question",
    "quiet",
    "radio",
    "reason",
    "river",
    "rocket",
    "school",
    "second",
    "server",
    "shadow",
    "silver",
    "simple",
    "stone",
    "street",
    "summer",
    "system",
    "thunder",
    "ticket",
    "travel",
    "valley",
    "village",
    "weather",
    "window",
    "winter",
    "yellow"
  };

  private final RandomGenerator random;
  private final FreshNames names;
  private final String account;
  private final String password;

  public BoardForms(RandomGenerator random, FreshNames names, boolean author) {
    this.random = random;
    this.names = names;
    int number = 1 + random.nextInt(author ? AUTHORS : USERS);
    this.account = (author ? "author" : "user") + number;
    this.password = "password" + number;
  }

  /**
   * Names that nobody has, in this run or an earlier one: the milliseconds at which the run began
   * and a count. Thread-safe.
   */
  public static final class FreshNames {
    private final String prefix;
    private final AtomicLong count = new AtomicLong();

    public FreshNames(long epochMillis) {
      this.prefix = "w" + Long.toString(epochMillis, BASE) + "-";
    }

    String next() {
      return prefix + Long.toString(count.getAndIncrement(), BASE);
    }
  }

  @Override
  public @Nullable String fill(String state, String field, @Nullable String suggestion) {
    return switch (field) {
      case "nickname" -> state.equals("RegisterUser") ? names.next() : account;
      case "password" -> password;
      case "first-name", "last-name" -> word();
      case "email" -> word() + "@example.org";
      case "search" -> search(state, suggestion);
      case "subject", "title" -> text(1 + random.nextInt(SUBJECT_LIMIT));
      case "body" -> text(BODY_LEAST + random.nextInt(BODY_LIMIT - BODY_LEAST + 1));
      case "day" -> null;
      default -> word();
    };
  }

  private String search(String state, @Nullable String suggestion) {
    if (state.equals("SearchInUsers")) {
      return "user" + (1 + random.nextInt(USERS));
    }
    return suggestion == null ? word() : suggestion;
  }

  private String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }

  /** Words up to the given length, at least one. */
  private String text(int limit) {
    StringBuilder text = new StringBuilder(limit).append(word());
    while (true) {
      String next = word();
      if (text.length() + 1 + next.length() > limit) {
        return text.toString();
      }
      text.append(' ').append(next);
    }
  }
}
