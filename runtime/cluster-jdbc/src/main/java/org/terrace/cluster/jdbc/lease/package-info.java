/**
 * The memory that each server has of its cluster: its owner, who belongs to it, what has been
 * applied.
 */
package org.terrace.cluster.jdbc.lease;
