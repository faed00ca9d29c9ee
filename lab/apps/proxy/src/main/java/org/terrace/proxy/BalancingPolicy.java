package org.terrace.proxy;

/** The policy by which the proxy shares out requests whose session is bound to no backend. */
enum BalancingPolicy {
  /** To the backend with the fewest requests in flight from this proxy. */
  LEAST_CONNECTIONS,
  /** To one backend after the other. */
  ROUND_ROBIN
}
