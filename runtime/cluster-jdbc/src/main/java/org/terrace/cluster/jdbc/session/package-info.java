/** Connections, transactions and statements of a cluster: its pure core over real servers. */
package org.terrace.cluster.jdbc.session;
