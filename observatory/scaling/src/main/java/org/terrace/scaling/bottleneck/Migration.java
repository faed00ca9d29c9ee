package org.terrace.scaling.bottleneck;

import org.terrace.scaling.Configuration;

/**
 * A move of the bottleneck from one place to another, as the load or the number of servers grows.
 * Immutable.
 *
 * @param from the configuration before
 * @param fromUsers the load before
 * @param to the configuration after; the same where the load grew
 * @param toUsers the load after; the same where servers were added
 * @param before what held back before
 * @param after what holds back after
 */
public record Migration(
    Configuration from,
    int fromUsers,
    Configuration to,
    int toUsers,
    Bottleneck before,
    Bottleneck after) {}
