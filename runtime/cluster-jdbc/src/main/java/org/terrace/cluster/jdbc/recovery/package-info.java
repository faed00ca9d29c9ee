/** Committed transactions as records of the recovery log, and their being done again. */
package org.terrace.cluster.jdbc.recovery;
