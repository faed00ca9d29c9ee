package org.terrace.analysis.finding;

import java.io.Serializable;

/**
 * Events of one kind on one server, taken together because each is too short for its effect to be
 * told from chance: whether the server gives fewer messages in them than just before. Immutable.
 *
 * @param kind their kind
 * @param events how many there were
 * @param meanMillis their mean length
 * @param expected the messages usual in all of them, by the tenth of a second before each
 * @param seen the messages given in them
 * @param p the probability of so few by chance, times the kinds that were tried; at most 1
 */
public record PooledEvents(
    String kind, int events, double meanMillis, double expected, int seen, double p)
    implements Serializable {

  /** The probability up to which the events count as short stalls. */
  public static final double SIGNIFICANT = 0.05;

  /** Whether chance is unlikely to silence the server as much. */
  public boolean significant() {
    return p <= SIGNIFICANT;
  }
}
