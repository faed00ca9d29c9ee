/** The clustered database beside single servers: throughput, effects, losses and returns. */
@org.jspecify.annotations.NullMarked
package org.terrace.benchmarks.database;
