/** The memory that each server has of its cluster, in tables of the cluster's own. */
package org.terrace.cluster.server.memory;
