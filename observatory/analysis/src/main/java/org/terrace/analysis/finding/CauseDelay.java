package org.terrace.analysis.finding;

import org.jspecify.annotations.Nullable;

/**
 * The delay of a server's requests that would be gone without the events of a cause, by
 * counterfactual replay. Immutable.
 *
 * @param kind the kind of the events
 * @param node where they happened
 * @param share the part of the delay over the usual, 0 to 1; null where a replay of the server
 *     cannot tell: a kill, and a fault of a server whose load this one took over
 * @param low the lower end of its 95 % interval; null where {@link DelayCauses} has none of its own
 * @param high the upper end
 */
public record CauseDelay(
    String kind,
    String node,
    @Nullable Double share,
    @Nullable Double low,
    @Nullable Double high) {}
