package org.terrace.board.store;

/**
 * A registered visitor who has shown who he is.
 *
 * @param id the user's id, at least 1
 * @param nickname the unique name
 * @param access what he may do
 */
public record Member(int id, String nickname, Access access) {

  /** The rights of a member, each of which includes those before it. */
  public enum Access {
    /** Submit stories and comments. */
    USER,
    /** Rate comments. */
    MODERATOR,
    /** Decide on submitted stories. */
    AUTHOR;

    private static final Access[] ALL = values();

    /** The access right of a number of the database. */
    public static Access of(int stored) {
      return ALL[stored];
    }
  }

  /** Whether this member may do at least what the given right allows. */
  public boolean may(Access needed) {
    return access.compareTo(needed) >= 0;
  }
}
