package org.terrace.board.data;

import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import org.terrace.board.store.Excerpts;
import org.terrace.board.store.Passwords;

/**
 * The rows of a generated board, table by table.
 *
 * <p>Every row is a function of the shape, which has the seed: each day, story and user has a
 * random generator of its own, so the stories' table and the comments' table agree without anything
 * being kept. Memory does not grow with the scale. Thread-safe.
 *
 * <p>Rules (RUBBoS; Amza, Cecchet, Chanda, Cox, Elnikety, Gil, Marguerite, Rajamani, Zwaenepoel,
 * Specification and Implementation of Dynamic Web Site Benchmarks, 2002): 50 authors, 500,000 users
 * at scale 1, one in ten a moderator, three years of 15 to 25 stories a day, 20 to 50 comments a
 * story, stories older than a month in tables of their own, texts of dictionary words with
 * Zipf-like lengths up to 8 KB. Shares that no source gives are named constants here.
 */
public final class BoardData {
  static final List<String> CATEGORIES =
      List.of(
          "Announcements",
          "Ask the board",
          "Books",
          "Developers",
          "Games",
          "Hardware",
          "Internet",
          "Law",
          "Music",
          "Networks",
          "Science",
          "Security",
          "Software",
          "Space");

  private static final int SECONDS_PER_DAY = 86_400;
  private static final int LEAST_STORY_CHARACTERS = 1_024;
  private static final int LEAST_COMMENT_CHARACTERS = 96;
  private static final int MOST_CHARACTERS = 8_192;
  private static final double LENGTH_EXPONENT = 1.1;
  private static final int SECONDS_BETWEEN_COMMENTS = 1_200;
  private static final double ANSWERS_SHARE = 0.5;
  private static final double ANONYMOUS_SHARE = 0.05;
  private static final double RATED_UP_SHARE = 0.2;
  private static final double RATED_DOWN_SHARE = 0.08;
  private static final int MOST_UPS = 3;
  private static final int SUBMISSIONS_WAITING = 60;
  private static final int GREATEST_USER_RATING = 50;

  private static final long SALT_OF_USERS = 1;
  private static final long SALT_OF_DAYS = 2;
  private static final long SALT_OF_STORIES = 3;
  private static final long SALT_OF_SUBMISSIONS = 4;

  private final Shape shape;
  private final Prose prose;
  private final long firstSecond;

  public BoardData(Shape shape) {
    this.shape = shape;
    this.prose = new Prose(new Vocabulary(shape.seed()));
    this.firstSecond =
        shape.lastDay().minusDays(shape.days() - 1L).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
  }

  /** Work on one row, or on one story. */
  @FunctionalInterface
  private interface Each<T> {
    void accept(T one) throws IOException;
  }

  /** A story before its texts are made. */
  private record Plan(int id, int day, long posted, int comments, int firstComment) {}

  /** Writes all rows of a table. */
  public void write(Table table, CopyText out) throws IOException {
    int firstNew = shape.firstNewDay();
    int days = shape.days();
    switch (table) {
      case CATEGORIES -> categories(out);
      case USERS -> users(out);
      case OLD_STORIES -> plans(0, firstNew, plan -> story(plan, out));
      case STORIES -> plans(firstNew, days, plan -> story(plan, out));
      case SUBMISSIONS -> submissions(out);
      case OLD_COMMENTS -> plans(0, firstNew, plan -> comments(plan, out));
      case COMMENTS -> plans(firstNew, days, plan -> comments(plan, out));
      case MODERATOR_LOG -> moderatorLog(out);
    }
    out.flush();
  }

  private void categories(CopyText out) throws IOException {
    for (int i = 0; i < CATEGORIES.size(); i++) {
      out.number(i + 1L).text(CATEGORIES.get(i)).endRow();
    }
  }

  private void users(CopyText out) throws IOException {
    for (int i = 1; i <= Shape.AUTHORS; i++) {
      user(out, i, "author" + i, "password" + i, 2);
    }
    for (int i = 1; i <= shape.users(); i++) {
      int access = i % Shape.USERS_PER_MODERATOR == 0 ? 1 : 0;
      user(out, Shape.AUTHORS + i, "user" + i, "password" + i, access);
    }
  }

  private void user(CopyText out, int id, String nickname, String password, int access)
      throws IOException {
    SplittableRandom random = random(SALT_OF_USERS, id);
    byte[] salt = new byte[Passwords.SALT_BYTES];
    random.nextBytes(salt);
    out.number(id).text(nickname).text(name(random)).text(name(random));
    out.text(nickname + "@example.org");
    out.text(Passwords.hash(password, salt, Passwords.GENERATED_ROUNDS));
    out.number(random.nextInt(GREATEST_USER_RATING + 1)).number(access);
    out.time(firstSecond - random.nextInt(SECONDS_PER_DAY)).endRow();
  }

  private void story(Plan plan, CopyText out) throws IOException {
    SplittableRandom random = random(SALT_OF_STORIES, plan.id());
    String title = prose.title(random);
    String body = prose.body(random, length(random, LEAST_STORY_CHARACTERS));
    out.number(plan.id()).number(category(random)).reference(writer(random));
    out.text(title).text(Excerpts.of(body)).text(body);
    out.time(plan.posted()).number(plan.comments()).endRow();
  }

  private void submissions(CopyText out) throws IOException {
    long end = firstSecond + (long) shape.days() * SECONDS_PER_DAY;
    for (int i = 1; i <= SUBMISSIONS_WAITING; i++) {
      SplittableRandom random = random(SALT_OF_SUBMISSIONS, i);
      out.number(i).number(category(random)).reference(writer(random)).text(prose.title(random));
      out.text(prose.body(random, length(random, LEAST_STORY_CHARACTERS)));
      out.time(end - SUBMISSIONS_WAITING + i).endRow();
    }
  }

  private void comments(Plan plan, CopyText out) throws IOException {
    SplittableRandom random = random(SALT_OF_STORIES, -plan.id());
    long posted = plan.posted();
    for (int i = 0; i < plan.comments(); i++) {
      boolean answer = i > 0 && random.nextDouble() < ANSWERS_SHARE;
      int parent = answer ? plan.firstComment() + random.nextInt(i) : 0;
      posted += 1 + random.nextInt(SECONDS_BETWEEN_COMMENTS);
      out.number(plan.firstComment() + (long) i).number(plan.id()).reference(parent);
      out.reference(writer(random)).text(prose.title(random));
      out.text(prose.body(random, length(random, LEAST_COMMENT_CHARACTERS)));
      out.number(rating(plan.firstComment() + i)).time(posted).endRow();
    }
  }

  private void moderatorLog(CopyText out) throws IOException {
    int[] id = new int[1];
    int moderators = shape.users() / Shape.USERS_PER_MODERATOR;
    plans(
        shape.firstNewDay(),
        shape.days(),
        plan -> {
          for (int i = 0; i < plan.comments(); i++) {
            int comment = plan.firstComment() + i;
            int rating = rating(comment);
            SplittableRandom random = random(SALT_OF_SUBMISSIONS, -comment);
            for (int vote = 0; vote < Math.abs(rating); vote++) {
              int moderator = (1 + random.nextInt(moderators)) * Shape.USERS_PER_MODERATOR;
              out.number(++id[0]).number(Shape.AUTHORS + (long) moderator).number(comment);
              out.number(Integer.signum(rating)).time(plan.posted() + SECONDS_PER_DAY).endRow();
            }
          }
        });
  }

  /** Goes through the stories of some days, with the ids that those before them leave. */
  private void plans(int fromDay, int toDay, Each<Plan> each) throws IOException {
    int story = 1;
    int comment = 1;
    for (int day = 0; day < toDay; day++) {
      SplittableRandom random = random(SALT_OF_DAYS, day);
      int count = random.nextInt(Shape.LEAST_STORIES_A_DAY, Shape.MOST_STORIES_A_DAY + 1);
      for (int i = 0; i < count; i++) {
        int step = SECONDS_PER_DAY / count;
        long posted =
            firstSecond + (long) day * SECONDS_PER_DAY + (long) i * step + random.nextInt(step);
        int comments = random.nextInt(shape.leastComments(), shape.mostComments() + 1);
        if (day >= fromDay) {
          each.accept(new Plan(story, day, posted, comments, comment));
        }
        story++;
        comment += comments;
      }
    }
  }

  private int rating(int comment) {
    SplittableRandom random = random(SALT_OF_DAYS, -comment);
    double draw = random.nextDouble();
    if (draw < RATED_DOWN_SHARE) {
      return -1;
    }
    return draw < RATED_DOWN_SHARE + RATED_UP_SHARE ? 1 + random.nextInt(MOST_UPS) : 0;
  }

  private static int category(SplittableRandom random) {
    return 1 + random.nextInt(CATEGORIES.size());
  }

  private int writer(SplittableRandom random) {
    return random.nextDouble() < ANONYMOUS_SHARE
        ? 0
        : 1 + random.nextInt(Shape.AUTHORS + shape.users());
  }

  private String name(SplittableRandom random) {
    String title = prose.title(random);
    return title.substring(0, title.indexOf(' '));
  }

  /** A length with a bounded Pareto distribution: many short texts, few long ones. */
  private static int length(SplittableRandom random, int least) {
    double ratio = StrictMath.pow((double) least / MOST_CHARACTERS, LENGTH_EXPONENT);
    double u = random.nextDouble();
    return (int) (least / StrictMath.pow(1 - u * (1 - ratio), 1 / LENGTH_EXPONENT));
  }

  /** The generator of one thing: the seed, the kind of thing and its number, well mixed. */
  private SplittableRandom random(long kind, long number) {
    SplittableRandom mixer = new SplittableRandom(shape.seed() * 31 + kind);
    return new SplittableRandom(mixer.nextLong() ^ (number * 0x9E3779B97F4A7C15L));
  }
}
