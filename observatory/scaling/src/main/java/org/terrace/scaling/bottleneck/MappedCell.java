package org.terrace.scaling.bottleneck;

import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * A configuration under a load, with what it achieved and what held it back. Immutable.
 *
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param repeats the trials that were done
 * @param throughputPerSecond the mean throughput
 * @param low the lower end of its 95 % interval; null where no trial like it was repeated
 * @param high the upper end
 * @param errorShare the share of requests that failed
 * @param limited whether throughput grows no more here, or requests fail
 * @param bottleneck what holds it back
 */
public record MappedCell(
    Configuration configuration,
    int users,
    int repeats,
    double throughputPerSecond,
    @Nullable Double low,
    @Nullable Double high,
    double errorShare,
    boolean limited,
    Bottleneck bottleneck) {}
