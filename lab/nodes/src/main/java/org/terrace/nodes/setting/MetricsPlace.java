package org.terrace.nodes.setting;

import java.net.URI;
import java.util.Optional;

/**
 * The place at which a server tells its metrics. Immutable.
 *
 * @param at the address that is asked
 * @param from the address of this machine to ask from; empty for any
 * @param declared the metrics to keep; empty for a server of Terrace's own, which tells its pools
 *     by {@code terrace_pool_in_use} and {@code terrace_pool_size}
 */
public record MetricsPlace(URI at, Optional<String> from, Optional<DeclaredMetrics> declared) {
  /** The place of a server of Terrace's own. */
  public static MetricsPlace own(URI at) {
    return new MetricsPlace(at, Optional.empty(), Optional.empty());
  }
}
