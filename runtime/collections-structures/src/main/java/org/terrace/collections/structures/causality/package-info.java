/** The order of cause and effect among updates: dots, version vectors, rosters of replicas. */
package org.terrace.collections.structures.causality;
