/**
 * A database of SQL nodes before partitioned, replicated data nodes that keep their data in memory:
 * in the manner of NDB, which it is not. MariaDB's engine Spider spreads rows over the data nodes,
 * its Galera keeps groups of two of them the same.
 */
package org.terrace.databases.ndblike;
