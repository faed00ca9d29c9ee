/** The replicas that have what a session has seen, so that no read of it goes back in time. */
package org.terrace.cluster.jdbc.freshness;
