/** One database server of a cluster: its connections, its failures, its catalogue. */
package org.terrace.cluster.jdbc.replica;
