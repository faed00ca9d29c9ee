package org.terrace.invocation.client;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.Probes;
import org.terrace.invocation.softstate.SoftStateOptions;
import org.terrace.middleware.Middleware;
import org.terrace.middleware.Middlewares;

/**
 * The options of a {@link ServiceClient}. Immutable; any number of clients may be opened with the
 * same ones, each with an identity of its own.
 *
 * @param naming where services are found
 * @param deadline how long a call may take in all, with every attempt and wait; above zero, 30 s by
 *     default
 * @param failOver the parts of fail-over that are on; pool and trusted identity are the server's
 * @param hedgeMax the longest wait before a call that hangs is sent to a second replica as well: it
 *     is sent after the time that 95 of 100 calls took or this one, whichever is less, and where
 *     half the calls take longer than this one, after twice that time; above zero, 15 ms by default
 * @param hedgeShareMax the share of calls that may be sent to a second replica for being slow, 0
 *     (none) to 1; 0.05 by default; retries after failures are taken from it too
 * @param attemptLogSize how many of the last calls {@link ServiceClient#attempts()} keeps; 0 or
 *     more, 1,024 by default
 * @param probes where each call's times are recorded, or null
 * @param middleware what reaches replicas of this middleware's name, for example one with TLS; null
 *     for what the names find
 * @param softState how calls are spread over the replicas of services of style {@link
 *     Style#SOFT_STATE}
 */
public record ClientOptions(
    Naming naming,
    Duration deadline,
    FailOverOptions failOver,
    Duration hedgeMax,
    double hedgeShareMax,
    int attemptLogSize,
    @Nullable Probes probes,
    @Nullable Middleware middleware,
    SoftStateOptions softState) {

  /** Checks the ranges. */
  public ClientOptions {
    Objects.requireNonNull(naming);
    Objects.requireNonNull(failOver);
    Objects.requireNonNull(softState);
    if (!deadline.isPositive()) {
      throw new IllegalArgumentException("A deadline is above zero, not " + deadline + ".");
    }
    if (!hedgeMax.isPositive()) {
      throw new IllegalArgumentException("A hedge waits above zero, not " + hedgeMax + ".");
    }
    if (!(hedgeShareMax >= 0 && hedgeShareMax <= 1)) {
      throw new IllegalArgumentException(
          "The share of hedged calls is 0 to 1, not " + hedgeShareMax + ".");
    }
    if (attemptLogSize < 0) {
      throw new IllegalArgumentException(
          "An attempt log keeps 0 or more, not " + attemptLogSize + ".");
    }
  }

  /** The default options of a client that finds services through the naming. */
  public static ClientOptions of(Naming naming) {
    return new ClientOptions(
        naming,
        Duration.ofSeconds(30),
        FailOverOptions.all(),
        Duration.ofMillis(15),
        0.05,
        1_024,
        null,
        null,
        SoftStateOptions.defaults());
  }

  /** These options with another deadline. */
  public ClientOptions withDeadline(Duration newDeadline) {
    return new ClientOptions(
        naming,
        newDeadline,
        failOver,
        hedgeMax,
        hedgeShareMax,
        attemptLogSize,
        probes,
        middleware,
        softState);
  }

  /** These options with other parts of fail-over. */
  public ClientOptions withFailOver(FailOverOptions newFailOver) {
    return new ClientOptions(
        naming,
        deadline,
        newFailOver,
        hedgeMax,
        hedgeShareMax,
        attemptLogSize,
        probes,
        middleware,
        softState);
  }

  /** These options with another wait before a hedge and another budget of hedges. */
  public ClientOptions withHedging(Duration newHedgeMax, double newShareMax) {
    return new ClientOptions(
        naming,
        deadline,
        failOver,
        newHedgeMax,
        newShareMax,
        attemptLogSize,
        probes,
        middleware,
        softState);
  }

  /** These options with no call sent twice for being slow. */
  public ClientOptions withoutHedging() {
    return new ClientOptions(
        naming, deadline, failOver, hedgeMax, 0, attemptLogSize, probes, middleware, softState);
  }

  /** These options with another size of the log of attempts. */
  public ClientOptions withAttemptLogSize(int newSize) {
    return new ClientOptions(
        naming,
        deadline,
        failOver,
        hedgeMax,
        hedgeShareMax,
        newSize,
        probes,
        middleware,
        softState);
  }

  /** These options with the times of calls recorded in these probes. */
  public ClientOptions withProbes(Probes newProbes) {
    return new ClientOptions(
        naming,
        deadline,
        failOver,
        hedgeMax,
        hedgeShareMax,
        attemptLogSize,
        newProbes,
        middleware,
        softState);
  }

  /** These options with this object for the replicas of its name. */
  public ClientOptions withMiddleware(Middleware newMiddleware) {
    return new ClientOptions(
        naming,
        deadline,
        failOver,
        hedgeMax,
        hedgeShareMax,
        attemptLogSize,
        probes,
        newMiddleware,
        softState);
  }

  /** These options with another way to spread calls over replicas of soft state. */
  public ClientOptions withSoftState(SoftStateOptions newSoftState) {
    return new ClientOptions(
        naming,
        deadline,
        failOver,
        hedgeMax,
        hedgeShareMax,
        attemptLogSize,
        probes,
        middleware,
        newSoftState);
  }

  /** The middleware that reaches replicas of that name: the one given, if the name is its own. */
  Middleware middlewareOf(String name) {
    Middleware given = middleware;
    return given != null && given.name().equals(name) ? given : Middlewares.byName(name);
  }
}
