package org.terrace.cluster.jdbc.session;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.lease.ClusterLease;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.server.dialect.ReplicaAddress;
import org.terrace.cluster.server.memory.MembershipTable;
import org.terrace.cluster.server.memory.MembershipTable.Wish;
import org.terrace.cluster.server.memory.ServerList;

/**
 * The servers of a cluster, as they are added and removed while it is open. Every active server
 * remembers a change before it is made, so that the cluster is opened with the right ones later; a
 * number is never given to a second server. Thread-safe.
 */
final class ServerMembership {
  private static final Logger LOG = System.getLogger(ServerMembership.class.getName());

  private final DatabaseCluster cluster;
  private final List<ReplicaServer> replicas;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Integer> removed = ConcurrentHashMap.newKeySet();

  /** The attempts to return of those that know the servers and may be active at any moment. */
  private final Map<Integer, Object> returning = new ConcurrentHashMap<>();

  /** Under the lock. */
  private long number;

  /**
   * The servers as the cluster was opened with them.
   *
   * @param replicas all that there ever were, by number; more are added to it here
   * @param remembered the last list that the servers know
   */
  ServerMembership(DatabaseCluster cluster, List<ReplicaServer> replicas, ServerList remembered) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.number = remembered.number();
  }

  /** Whether a server was removed. */
  boolean isRemoved(int replica) {
    return removed.contains(replica);
  }

  /** The names of the servers. */
  List<String> servers() {
    return replicas.stream()
        .filter(replica -> !isRemoved(replica.number()))
        .map(ReplicaServer::name)
        .toList();
  }

  /** Adds a server, which then gets the others' data and takes part. */
  void add(ReplicaAddress address) throws SQLException {
    if (!cluster.recovery().keepsLog()) {
      throw refused(
          "a server gets what it lacks from the recovery log: open the cluster with log=DIRECTORY");
    }
    lock.lock();
    try {
      List<String> servers = new ArrayList<>(servers());
      if (servers.contains(address.toString())) {
        throw refused(address + " is one of its servers already");
      }
      if (servers.size() >= ClusterConfiguration.REPLICAS_MAX) {
        throw refused("it has " + servers.size() + " servers, and no more are possible");
      }
      ReplicaServer added = new ReplicaServer(replicas.size(), address, cluster.configuration());
      checkUsable(added);
      servers.add(address.toString());
      remember(servers);
      cluster.balancer().add(1);
      replicas.add(added);
      LOG.log(Level.INFO, "Server {0} is added to {1}.", address, cluster.configuration());
      cluster.lost(added.number(), "it was added, and gets the data of the others");
      cluster.recovery().seekReturn(added);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses a server that would never take part. Among the servers it would stand in the way of the
   * next opening, too, which cannot tell it from a member that went on without the others.
   *
   * @throws SQLException also when it does not answer: it is more likely misspelt than down
   */
  private void checkUsable(ReplicaServer added) throws SQLException {
    Optional<String> refusal =
        cluster.recovery().refusal(added, Greetings.greet(added, cluster.dialect()));
    if (refusal.isPresent()) {
      throw refused(
          "%s cannot be one of them as it is: %s. Empty it first, or add it to the cluster opened with copy=always if what it has is not wanted"
              .formatted(added.name(), refusal.get()));
    }
  }

  /** Removes a server, active or not, and gives back its ownership. */
  void remove(ReplicaAddress address) throws SQLException {
    lock.lock();
    try {
      ReplicaServer leaving =
          replicas.stream()
              .filter(replica -> !isRemoved(replica.number()))
              .filter(replica -> replica.name().equals(address.toString()))
              .findFirst()
              .orElseThrow(() -> refused(address + " is none of its servers, " + servers()));
      checkEnoughAreLeft(leaving);
      List<String> servers = servers();
      List<String> left = new ArrayList<>(servers);
      left.remove(address.toString());
      remember(left);
      try {
        // Who could not be told of it was taken out.
        checkEnoughAreLeft(leaving);
      } catch (SQLException e) {
        remember(servers);
        throw e;
      }
      removed.add(leaving.number());
      leaving.retire();
      LOG.log(Level.INFO, "Server {0} is removed from {1}.", address, cluster.configuration());
      cluster.recovery().giveUp(leaving);
      cluster.post(new ClusterEvent.ReplicaFailed(leaving.number(), "it was removed"));
      cluster.post(new ClusterEvent.ReplicaExcluded(leaving.number()));
      cluster.lostReplicas().forget(leaving.number());
      giveBack(leaving);
    } finally {
      lock.unlock();
    }
  }

  private void checkEnoughAreLeft(ReplicaServer leaving) throws SQLException {
    List<Integer> left = new ArrayList<>(cluster.active());
    left.removeIf(one -> one == leaving.number());
    int least = cluster.configuration().minimumReplicas();
    if (left.size() < least) {
      throw refused(
          "%d of at least %d active servers would be left: add another first, or open it with a smaller minimumReplicas"
              .formatted(left.size(), least));
    }
  }

  private static SQLException refused(String reason) {
    return new SQLException(
        "The servers of the cluster are not changed: " + reason + ".", SqlStates.NOT_SUPPORTED);
  }

  /**
   * Makes all servers remember a list that are active, or may be at any moment as they return; who
   * does not is taken out, or does not return yet, and so remembers less.
   */
  private void remember(List<String> servers) throws SQLException {
    ServerList list = new ServerList(number + 1, servers);
    int told = 0;
    Set<Integer> all = new TreeSet<>(returning.keySet());
    // Who is back by now was among those who returned.
    all.addAll(cluster.active());
    for (int replica : all) {
      try (Connection connection = cluster.replica(replica).ask()) {
        told += tell(replica, connection, list) ? 1 : 0;
      } catch (SQLException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw Answers.interrupted(e);
        }
        returning.remove(replica);
        cluster.failed(replica, e);
      }
    }
    if (told == 0) {
      throw refused("no server could be told of it");
    }
    number++;
  }

  private boolean tell(int replica, Connection connection, ServerList list) throws SQLException {
    ClusterLease lease = cluster.recovery().lease();
    boolean held =
        new MembershipTable(cluster.dialect()).record(connection, lease.epochAt(replica), list);
    if (!held) {
      cluster.recovery().fenced(lease.tables().read(connection).owner());
    }
    return held;
  }

  /** A removed server is told so, and is nobody's. */
  private void giveBack(ReplicaServer leaving) {
    ClusterLease lease = cluster.recovery().lease();
    long epoch = lease.epochAt(leaving.number());
    try (Connection connection = leaving.ask()) {
      new MembershipTable(cluster.dialect())
          .record(connection, epoch, new ServerList(number, servers()));
      lease.tables().release(connection, epoch);
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "{0} was not told that it left: {1}", leaving.name(), e.getMessage());
    }
  }

  /**
   * Tells a server that comes back, or is new, which servers there are, and of each change until
   * {@link #noLongerReturns}.
   *
   * @param attempt its attempt to return, of which it may make another before the last has ended
   */
  void tellReturning(int replica, Connection connection, Object attempt) throws SQLException {
    lock.lock();
    try {
      returning.put(replica, attempt);
      ServerList list = number > 0 ? new ServerList(number, servers()) : ServerList.UNCHANGED;
      new MembershipTable(cluster.dialect())
          .record(connection, cluster.recovery().lease().epochAt(replica), list);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a server that comes back was told of all changes since. */
  boolean wasTold(int replica, Object attempt) {
    return attempt.equals(returning.get(replica));
  }

  /** A server is back, or an attempt to return has failed, of which there may be a later one. */
  void noLongerReturns(int replica, Object attempt) {
    returning.remove(replica, attempt);
  }

  /** Does what somebody wishes who may write the cluster's own tables, and answers there. */
  void grant(int replica, Wish wish) {
    String answer;
    try {
      ReplicaAddress address = ReplicaAddress.parse(wish.server(), cluster.engine());
      switch (wish.verb()) {
        case "add" -> add(address);
        case "remove" -> remove(address);
        default -> throw refused("'" + wish.verb() + "' is neither add nor remove");
      }
      answer = "done " + String.join(" ", servers());
    } catch (SQLException e) {
      answer = "refused " + e.getMessage();
    }
    try (Connection connection = cluster.replica(replica).ask()) {
      new MembershipTable(cluster.dialect()).answer(connection, wish, answer);
    } catch (SQLException e) {
      LOG.log(Level.WARNING, "The answer to {0} was not written: {1}", wish, e.getMessage());
    }
  }
}
