package org.terrace.board.partitions;

/** A data node as one look of the watch found it. Immutable. */
sealed interface Sight {
  /**
   * An answer of a member of a group's part with the majority, which has all that the group decided
   * or is told it.
   *
   * @param process the identity that the node's process gave itself when it began; a process that
   *     is started anew has another
   * @param view the number of the group's changes of members that the node knows of
   * @param synced whether it has applied what the group decided, and gives its rows to nobody
   */
  record Member(String process, long view, boolean synced) implements Sight {}

  /** A node that can serve nothing at the moment, in words that follow the node's name. */
  enum Away implements Sight {
    /** The one sight that a node whose process has ended gives, where its machine still runs. */
    REFUSES("refuses connections"),
    SILENT("does not answer"),
    OUTSIDE("is no member of a group with the majority"),
    /** A member of a process that the watch did not know: its rows are not the group's. */
    STARTED_ANEW("was started anew, without the rows of its group");

    private final String words;

    Away(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }
}
