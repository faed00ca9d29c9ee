package org.terrace.cluster.jdbc.inspection;

import java.util.List;

/**
 * The state of one server of a cluster, as it remembers it.
 *
 * @param name its host and port
 * @param failure why nothing is known of it; empty: it answered
 * @param version its database system and version
 * @param owner the process that owns the cluster, as far as this server knows; empty: none did yet
 * @param owned whether the owner has neither given it back nor let its lease run out
 * @param renewedMillis how long ago the owner renewed its lease, by the server's clock
 * @param epoch the number of the ownership
 * @param view the number of the list of members that it was told last
 * @param members the servers that were active then
 * @param position the greatest position of a transaction that was committed here
 * @param log the identity of the recovery log; empty: there is none
 * @param diverged why its data are not to be trusted; empty: nothing is known against them
 */
public record ServerStatus(
    String name,
    String failure,
    String version,
    String owner,
    boolean owned,
    long renewedMillis,
    long epoch,
    long view,
    List<String> members,
    long position,
    String log,
    String diverged) {
  /** Copies the list. */
  public ServerStatus {
    members = List.copyOf(members);
  }

  static ServerStatus failed(String name, String failure) {
    return new ServerStatus(name, failure, "", "", false, 0, 0, 0, List.of(), 0, "", "");
  }
}
