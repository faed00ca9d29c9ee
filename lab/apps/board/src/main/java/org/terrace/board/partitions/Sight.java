package org.terrace.board.partitions;

import java.util.Map;

/** A data node as one look of the watch found it. Immutable. */
sealed interface Sight {
  /** The value of {@code WSREP_LOCAL_STATE} of a member that has all that its group decided. */
  String SYNCED = "4";

  /**
   * The sight of a node that told its status.
   *
   * @param status the values of {@code WSREP_} variables by their names in capitals; they need not
   *     be of one moment
   */
  static Sight of(Map<String, String> status) {
    String process = status.getOrDefault("WSREP_GCOMM_UUID", "");
    if (!"ON".equals(status.get("WSREP_READY"))
        || !"Primary".equals(status.get("WSREP_CLUSTER_STATUS"))
        || process.isEmpty()) {
      return Away.OUTSIDE;
    }
    try {
      long view = Long.parseLong(status.getOrDefault("WSREP_CLUSTER_CONF_ID", ""));
      return new Member(process, view, SYNCED.equals(status.get("WSREP_LOCAL_STATE")));
    } catch (NumberFormatException e) {
      // A view without the majority has the greatest unsigned number, or none.
      return Away.OUTSIDE;
    }
  }

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
