package org.terrace.seven.application;

/**
 * The behaviour of one client: a seeded generator of calls that remembers what earlier replies
 * said. The same seed and the same replies give the same calls. Confined to one thread.
 *
 * @param <S> the service
 */
@FunctionalInterface
public interface Workload<S> {

  /** The next call. */
  Step<S, ?> next();
}
