/**
 * A look at the servers of a cluster from outside: what each remembers, and whether all are equal.
 */
package org.terrace.cluster.jdbc.inspection;
