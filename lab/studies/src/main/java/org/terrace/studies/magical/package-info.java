/**
 * The study of tails: seven services in up to 48 configurations, whether the unpredictable part of
 * their latency is confined to one call in a hundred, and how it compares with a crash.
 */
package org.terrace.studies.magical;
