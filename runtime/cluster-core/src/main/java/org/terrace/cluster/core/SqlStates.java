package org.terrace.cluster.core;

/** The SQLStates that a cluster gives of its own accord. */
public final class SqlStates {
  /** The transaction was undone and may succeed when it is tried again. */
  public static final String SERIALIZATION_FAILURE = "40001";

  /** The connection to the cluster is lost: no replica is left. */
  public static final String CONNECTION_FAILURE = "08006";

  /** A connection cannot be made. */
  public static final String CANNOT_CONNECT = "08001";

  /** The connection, statement or result has been closed. */
  public static final String CLOSED = "08003";

  /** The outcome of a transaction is unknown: it may or may not have been committed. */
  public static final String OUTCOME_UNKNOWN = "08007";

  /** The cluster takes no writes now. */
  public static final String READ_ONLY = "25006";

  /** The transaction was undone, and the client goes on as if it had not been. */
  public static final String IN_FAILED_TRANSACTION = "25P02";

  /** A lock was waited for in vain. */
  public static final String LOCK_NOT_AVAILABLE = "55P03";

  /** The state of a statement that is not run in a transaction, or only in one. */
  public static final String WRONG_TRANSACTION_STATE = "25000";

  /** The statement was given up: it was cancelled, or its client was interrupted. */
  public static final String QUERY_CANCELED = "57014";

  /** Reading or writing the recovery log failed. */
  public static final String IO_ERROR = "58030";

  /** The state of a statement that is not supported. */
  public static final String NOT_SUPPORTED = "0A000";

  /** The statement cannot be understood. */
  public static final String SYNTAX_ERROR = "42601";

  /** A parameter is missing or of a kind that cannot be kept. */
  public static final String BAD_PARAMETER = "07001";

  private SqlStates() {}
}
