/** A statement with its values, ready for any number of replicas, and what it leaves behind. */
package org.terrace.cluster.jdbc.statement;
