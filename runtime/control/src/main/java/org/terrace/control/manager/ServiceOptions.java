package org.terrace.control.manager;

import java.time.Duration;
import java.util.Objects;
import org.terrace.control.Style;

/**
 * The degree of replication of a service, and the patience with which it is kept.
 *
 * @param service the name
 * @param style how the replicas share the work
 * @param degree how many replicas the reference is to list, 0 to 256
 * @param spares how many more are kept running, not listed, to take the place of a lost one at once
 * @param launchTimeout a replica that has not registered this long after its launch has failed
 * @param backOffMin pause before a launch that follows a failed one; doubled with each failure
 * @param backOffMax longest such pause
 * @param stableAfter a replica that lived this long did not fail at its start
 * @param grace how long a new leader waits for the replicas it knows of only by their registration
 * @param drainTimeout how long a replica may take to finish its calls before it is ended
 */
public record ServiceOptions(
    String service,
    Style style,
    int degree,
    int spares,
    Duration launchTimeout,
    Duration backOffMin,
    Duration backOffMax,
    Duration stableAfter,
    Duration grace,
    Duration drainTimeout) {
  /** Most replicas of one service. */
  static final int DEGREE_MAX = 256;

  /** Refuses degrees out of range. */
  public ServiceOptions {
    Objects.requireNonNull(service);
    Objects.requireNonNull(style);
    if (degree < 0 || degree > DEGREE_MAX || spares < 0 || spares > DEGREE_MAX) {
      throw new IllegalArgumentException(
          "Degree and spares of " + service + " are 0 to " + DEGREE_MAX + ".");
    }
  }

  /** The usual patience. */
  public static ServiceOptions of(String service, Style style, int degree) {
    return new ServiceOptions(
        service,
        style,
        degree,
        0,
        Duration.ofSeconds(20),
        Duration.ofMillis(100),
        Duration.ofSeconds(10),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10));
  }

  /** The same with spares. */
  public ServiceOptions withSpares(int number) {
    return new ServiceOptions(
        service,
        style,
        degree,
        number,
        launchTimeout,
        backOffMin,
        backOffMax,
        stableAfter,
        grace,
        drainTimeout);
  }
}
