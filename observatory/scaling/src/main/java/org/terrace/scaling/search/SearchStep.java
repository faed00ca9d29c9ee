package org.terrace.scaling.search;

import org.terrace.scaling.Configuration;

/**
 * A trial to do. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the load
 * @param reason why this one, in a few words
 */
public record SearchStep(Configuration configuration, int users, String reason) {}
