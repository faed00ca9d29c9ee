package org.terrace.proxy;

/** How the proxy shares out requests whose session is bound to no backend. */
enum BalancingPolicy {
  /** To the backend with the fewest requests in flight from this proxy. */
  LEAST_CONNECTIONS,
  /** To one backend after the other. */
  ROUND_ROBIN
}
