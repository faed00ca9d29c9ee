package org.terrace.board.data;

import java.time.LocalDate;

/**
 * The size of a generated board: RUBBoS's sizes times a scale.
 *
 * <p>At scale 1 there are 500,000 users and three years of 15 to 25 stories a day with 20 to 50
 * comments each; stories of the last {@value #NEW_DAYS} days are new, all others old. Below scale 1
 * there are fewer users and a shorter past, but never less than {@value #LEAST_DAYS} days, so that
 * both kinds are there; below scale {@value #FULL_COMMENTS_SCALE} there are fewer comments, too.
 *
 * @param scale greater than 0, at most 10
 * @param seed what all rows are a function of, with the scale and the last day
 * @param lastDay the day of the newest stories
 */
public record Shape(double scale, long seed, LocalDate lastDay) {
  /** The number of authors, at every scale. */
  public static final int AUTHORS = 50;

  /** Every tenth user may moderate. */
  public static final int USERS_PER_MODERATOR = 10;

  static final int NEW_DAYS = 30;
  static final int LEAST_STORIES_A_DAY = 15;
  static final int MOST_STORIES_A_DAY = 25;

  private static final int USERS_AT_SCALE_1 = 500_000;
  private static final int DAYS_AT_SCALE_1 = 3 * 365;
  private static final int LEAST_USERS = 100;
  private static final int LEAST_DAYS = NEW_DAYS + 10;
  private static final double FULL_COMMENTS_SCALE = 0.01;
  private static final int LEAST_COMMENTS = 20;
  private static final int MOST_COMMENTS = 50;
  private static final double LARGEST_SCALE = 10;

  public Shape {
    if (!(scale > 0 && scale <= LARGEST_SCALE)) {
      throw new IllegalArgumentException("the scale is greater than 0 and at most 10: " + scale);
    }
  }

  /** The number of users who are no authors. */
  public int users() {
    return (int) Math.max(LEAST_USERS, Math.round(USERS_AT_SCALE_1 * scale));
  }

  /** The number of days that have stories. */
  public int days() {
    return (int) Math.max(LEAST_DAYS, Math.round(DAYS_AT_SCALE_1 * scale));
  }

  /** The first day whose stories are new, counted from the first day, 0. */
  int firstNewDay() {
    return days() - NEW_DAYS;
  }

  int leastComments() {
    return comments(LEAST_COMMENTS);
  }

  int mostComments() {
    return comments(MOST_COMMENTS);
  }

  private int comments(int full) {
    return (int) Math.max(1, Math.round(full * Math.min(1, scale / FULL_COMMENTS_SCALE)));
  }
}
