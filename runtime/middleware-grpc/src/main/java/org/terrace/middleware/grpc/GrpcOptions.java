package org.terrace.middleware.grpc;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The settings by which gRPC itself repeats calls at the client, below Terrace's own fail-over. A
 * repeated call keeps its identity, so that it still has its effects once. Immutable.
 *
 * @param policy what it repeats, if anything; gRPC has one policy a method
 */
public record GrpcOptions(Optional<Policy> policy) {
  /** The most attempts that gRPC makes of one call. */
  public static final int ATTEMPTS_MAX = 5;

  private static final double BACKOFF_MULTIPLIER = 2;
  private static final double BACKOFF_GROWTH_MAX = 10;

  /** The policy by which a call is sent again. */
  public sealed interface Policy {
    /** The number of times that it is sent at most, 2 to {@value #ATTEMPTS_MAX}. */
    int attempts();
  }

  /**
   * A call that failed as unavailable is sent again.
   *
   * @param attempts how often it is sent at most
   * @param backoff the wait before the second attempt; it doubles, up to tenfold
   */
  public record Retry(int attempts, Duration backoff) implements Policy {
    /** Checks the ranges. */
    public Retry {
      requireAttempts(attempts);
      if (!backoff.isPositive()) {
        throw new IllegalArgumentException("A back-off is above zero, not " + backoff + ".");
      }
    }
  }

  /**
   * A call that takes long is sent again beside the first; the first reply wins.
   *
   * @param attempts how often it is sent at most
   * @param delay the wait before each further attempt
   */
  public record Hedge(int attempts, Duration delay) implements Policy {
    /** Checks the ranges. */
    public Hedge {
      requireAttempts(attempts);
      if (delay.isNegative()) {
        throw new IllegalArgumentException("A hedge's delay is 0 or more, not " + delay + ".");
      }
    }
  }

  /** Each call is sent once. */
  public static GrpcOptions defaults() {
    return new GrpcOptions(Optional.empty());
  }

  /** These options with that policy. */
  public GrpcOptions withPolicy(Policy newPolicy) {
    return new GrpcOptions(Optional.of(newPolicy));
  }

  private static void requireAttempts(int attempts) {
    if (attempts < 2 || attempts > ATTEMPTS_MAX) {
      throw new IllegalArgumentException(
          "A policy makes 2 to " + ATTEMPTS_MAX + " attempts, not " + attempts + ".");
    }
  }

  /** The policy as gRPC's service config; several addresses of one target take turns. */
  Map<String, ?> serviceConfig() {
    List<Map<String, ?>> balancing = List.of(Map.of("round_robin", Map.of()));
    if (policy.isEmpty()) {
      return Map.of("loadBalancingConfig", balancing);
    }
    Map<String, ?> name = Map.of("service", Carrier.SERVICE);
    Map<String, ?> method =
        switch (policy.get()) {
          case Retry retry -> Map.of("name", List.of(name), "retryPolicy", config(retry));
          case Hedge hedge -> Map.of("name", List.of(name), "hedgingPolicy", config(hedge));
        };
    return Map.of("loadBalancingConfig", balancing, "methodConfig", List.of(method));
  }

  private static Map<String, ?> config(Retry retry) {
    return Map.of(
        "maxAttempts",
        (double) retry.attempts(),
        "initialBackoff",
        seconds((double) retry.backoff().toNanos()),
        "maxBackoff",
        seconds(retry.backoff().toNanos() * BACKOFF_GROWTH_MAX),
        "backoffMultiplier",
        BACKOFF_MULTIPLIER,
        "retryableStatusCodes",
        List.of("UNAVAILABLE"));
  }

  private static Map<String, ?> config(Hedge hedge) {
    return Map.of(
        "maxAttempts",
        (double) hedge.attempts(),
        "hedgingDelay",
        seconds((double) hedge.delay().toNanos()),
        "nonFatalStatusCodes",
        List.of("UNAVAILABLE"));
  }

  private static String seconds(double nanos) {
    return String.format(Locale.ROOT, "%.9fs", nanos / 1e9);
  }
}
