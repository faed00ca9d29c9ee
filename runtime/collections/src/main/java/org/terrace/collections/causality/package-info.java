/**
 * The order of cause and effect among updates: dots, version vectors, rosters of replicas, and the
 * hybrid clock.
 */
package org.terrace.collections.causality;
