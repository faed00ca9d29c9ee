package org.terrace.control;

/** The style of replication: the way in which a service's replicas share its work. */
public enum Style {
  /** One replica, no fail-over. */
  NONE,
  /**
   * Primary and backups: the primary answers every call; when it is gone, a backup, already running
   * and connected, takes its place.
   */
  WARM_PASSIVE,
  /**
   * Every replica is sent every update, and the first reply wins. In the database that they share
   * one of them takes the request's key and has the effect; the others wait and reply with what it
   * stored.
   */
  ACTIVE,
  /**
   * Every replica runs every update on soft state of its own; one, chosen by hash, answers, and its
   * effects count. Reads go to the k fastest replicas.
   */
  SOFT_STATE
}
