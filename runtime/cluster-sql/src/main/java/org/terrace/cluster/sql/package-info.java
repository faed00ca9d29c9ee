/**
 * The analysis of statements, as far as a cluster needs it: reads or writes, which tables, what of
 * them would differ between servers.
 */
package org.terrace.cluster.sql;
