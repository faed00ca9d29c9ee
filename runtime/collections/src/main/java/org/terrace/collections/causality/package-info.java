/**
 * Which updates happened before which: dots, version vectors, rosters of replicas, and the hybrid
 * clock.
 */
package org.terrace.collections.causality;
