package org.terrace.board.partitions;

/**
 * The knowledge of the watch about one data node, from looks at it alone. Immutable.
 *
 * @param process the identity of its process, empty until it was first seen as a member
 * @param last the last look at it; {@link Sight.Away#SILENT} before the first
 * @param view the latest view of its group that it knew of
 * @param failures the looks in a row that did not find it to be a member
 * @param refusals the looks in a row at which it refused connections
 * @param answers the looks in a row at which it was a member that has all of its group's rows
 * @param suspected whether it is not to be asked for rows
 */
record WatchedNode(
    String process,
    Sight last,
    long view,
    int failures,
    int refusals,
    int answers,
    boolean suspected) {
  /** One failure may be chance: a connection that broke, a moment without a processor. */
  static final int FAILURES_UNTIL_SUSPECTED = 2;

  static final int ANSWERS_UNTIL_TRUSTED = 2;

  /** A node that comes and goes is not given its partition back each time. */
  static final int ANSWERS_UNTIL_STEADY = 10;

  /** Before its first look, a node may be asked. */
  static final WatchedNode UNSEEN = new WatchedNode("", Sight.Away.SILENT, 0, 0, 0, 0, false);

  WatchedNode after(Sight sight) {
    return switch (sight) {
      case Sight.Member member when isOther(member.process()) -> failed(Sight.Away.STARTED_ANEW);
      case Sight.Member member -> answered(member);
      case Sight.Away away -> failed(away);
    };
  }

  private boolean isOther(String found) {
    return !process.isEmpty() && !process.equals(found);
  }

  private WatchedNode answered(Sight.Member member) {
    int inARow = member.synced() ? answers + 1 : 0;
    return new WatchedNode(
        member.process(),
        member,
        member.view(),
        0,
        0,
        inARow,
        suspected && inARow < ANSWERS_UNTIL_TRUSTED);
  }

  private WatchedNode failed(Sight.Away away) {
    return new WatchedNode(
        process,
        away,
        view,
        failures + 1,
        away == Sight.Away.REFUSES ? refusals + 1 : 0,
        0,
        suspected || failures + 1 >= FAILURES_UNTIL_SUSPECTED);
  }

  /**
   * Whether the last look found that it could take over from its partner. One that was not run for
   * a while says for seconds that it is a member of a group which has put it out, and may have
   * written since: it knows of fewer changes than its partner does.
   */
  boolean canTakeOver(WatchedNode partner) {
    return !suspected && answers > 0 && view >= partner.view;
  }

  /** Whether a look found it to be a member. */
  boolean isSeen() {
    return !process.isEmpty();
  }

  /** Whether it has been a member for so long that it may have its partition back. */
  boolean isSteady() {
    return answers >= ANSWERS_UNTIL_STEADY;
  }

  /** The reason for which it is not asked, in words that follow its name. */
  String reason() {
    return last instanceof Sight.Away away ? away.words() : "has not been back for long";
  }
}
