/**
 * What a statement does, as far as a cluster must know: reads or writes, which tables, what of it
 * would differ between servers.
 */
package org.terrace.cluster.jdbc.sql;
