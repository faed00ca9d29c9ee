/** A cluster of databases as one: the JDBC driver and the data source. */
package org.terrace.cluster.jdbc;
