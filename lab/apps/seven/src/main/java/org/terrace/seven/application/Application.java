package org.terrace.seven.application;

import java.util.List;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;

/**
 * An application of the seven: a service, its database, its rules, a workload and what must always
 * hold. Immutable and thread-safe.
 *
 * @param <S> the service's interface
 */
public interface Application<S> {

  /** The name in kebab-case, which is also the service's name. */
  String name();

  /** The facts that the published study gives of its own run. */
  Published published();

  /** The service's interface. */
  Class<S> service();

  /** The rules: an implementation without state of its own, whose memory is the database. */
  S rules(TimeSource time);

  /** The statements that create the tables, in order; portable between the databases. */
  List<String> schema();

  /** The tables, those that others refer to last: the order in which they can be dropped. */
  List<String> tables();

  /** Fills empty tables. */
  void seed(Sql sql);

  /**
   * The calls of the client of the given number.
   *
   * @param seed of the run; clients of one run have different workloads
   * @param client from 0
   * @param replyBytes the size of replies, see {@link Padding}
   */
  Workload<S> workload(long seed, int client, int replyBytes);

  /** The rules that must hold after every run. */
  List<Invariant> invariants();

  /**
   * The updates whose effects can be told from each other, so that acknowledgements can be held
   * against them; none unless the application says so.
   */
  default List<Effect> effects() {
    return List.of();
  }

  /**
   * The row of the published Table 1. Source: Dumitraş, Srivastava, Narasimhan, "The magical 1 %".
   *
   * @param middleware {@code EJB} or {@code CORBA}
   * @param style how its middle tier was replicated
   * @param requestBytes the size of requests
   * @param replyBytes the size of replies
   * @param databasePercent the share of requests that need the database, 0 to 100
   */
  record Published(
      String middleware, Style style, int requestBytes, int replyBytes, int databasePercent) {}
}
