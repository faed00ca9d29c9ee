/**
 * Load against throughput: the congestion point, the window length at which it shows, and the rate
 * that is usual at a load. Knows windows as arrays of numbers, not servers or requests.
 */
package org.terrace.analysis.congestion;
