package org.terrace.scaling.search;

import org.terrace.scaling.Configuration;

/**
 * A trial that a search may choose. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the load
 * @param repeat the number of the repeat, from 0
 * @param offeredPerSecond the requests that so many users send while no answer keeps them waiting:
 *     users over think time; infinite where they do not think
 */
public record SearchCandidate(
    Configuration configuration, int users, int repeat, double offeredPerSecond) {}
